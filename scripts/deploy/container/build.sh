#!/bin/sh
# sh deploy/container/build.sh FILE builds the image of this release without a daemon, as an archive for `docker load`.
# The base is a minimal Debian system made of packages, with this machine's Node. Needs root, buildah and debootstrap.
set -eu

fail() {
	printf '%s\n' "$1" >&2
	exit 1
}

[ $# -eq 1 ] || fail 'Uso: sh build.sh ARQUIVO'
[ "$(id -u)" -eq 0 ] || fail 'Precisa de root.'
for program in buildah debootstrap node; do
	command -v "$program" >/dev/null || fail "Falta $program: apt-get install buildah debootstrap"
done
release=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
[ -f "$release/VERSION" ] || fail "$release não é uma versão: faça uma com npm run release"
case $1 in
/*) archive=$1 ;;
*) archive=$PWD/$1 ;;
esac
[ ! -e "$archive" ] || fail "$archive já existe; nada foi feito."
tag=studio:$(tr -c 'A-Za-z0-9_.\n' - <"$release/VERSION")

work=$(mktemp -d)
# The layers of buildah may be separate mounts.
trap 'run umount --all >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
run() {
	command=$1
	shift
	buildah --storage-driver vfs --root "$work/storage" --runroot "$work/run" "$command" "$@"
}

# The base has the same distribution and the same package source as this machine.
source=$(apt-get indextargets --format '$(CODENAME) $(SITE)' 'Origin: Debian' 'Label: Debian' | grep -Ev -- '-(updates|security) ' | head -n 1)
[ -n "$source" ] || fail 'Este sistema não tem pacotes do Debian.'
debootstrap --variant=minbase --include=ca-certificates,libatomic1,libstdc++6,tzdata "${source%% *}" "$work/debian" "${source#* }" >&2
rm -rf "$work/debian/var/cache/apt/archives" "$work/debian/var/lib/apt/lists" "$work/debian/var/log"/*
install -D -m 0755 "$(readlink -f "$(command -v node)")" "$work/debian/usr/local/bin/node"

base=$(run from scratch)
run add --quiet "$base" "$work/debian" / >/dev/null
run config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$base"
run commit --quiet --rm "$base" studio-base >/dev/null
rm -rf "$work/debian"
run build --quiet --isolation chroot --pull-never --build-arg BASE=localhost/studio-base \
	--file "$release/deploy/container/Containerfile" --tag "$tag" "$release" >/dev/null
run push --quiet "$tag" "docker-archive:$archive:$tag"
printf '%s: imagem %s\n' "$archive" "$tag"
