#!/bin/sh
# sh deploy/container/install.sh DOMAIN MAIL [--postgres] installs this release on an empty server with Docker, or
# upgrades an installation to this release. The folder of the installation, STUDIO_DIR (/opt/studio), has compose.yaml,
# the Caddyfile and `.env`. Every step may be repeated.
set -eu
LC_ALL=C
export LC_ALL
# Compose prefers variables of the shell to those of `.env`.
unset COMPOSE_FILE COMPOSE_PROFILES COMPOSE_PROJECT_NAME COMPOSE_ENV_FILES STUDIO_IMAGE DATABASE_URL CDPATH
umask 077

say() {
	printf '%s\n' "$1"
}

fail() {
	printf '%s\n' "$1" >&2
	exit 1
}

# The first pattern also refuses a line break, which grep would take for the end of one name.
is_domain() {
	case $1 in
	*[!a-z0-9.-]*) return 1 ;;
	esac
	[ ${#1} -le 243 ] || return 1
	printf '%s\n' "$1" | grep -Eq '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$'
}

is_mail() {
	case $1 in
	*[!A-Za-z0-9._%+@-]* | *@*@* | @* | .* | -*) return 1 ;;
	*@*) is_domain "$(printf %s "${1#*@}" | tr A-Z a-z)" ;;
	*) return 1 ;;
	esac
}

# Prints the addresses of a name as this machine resolves it, one per line.
resolve_addresses() {
	getent ahosts "$1" | awk '$2 == "STREAM" && !seen[$1]++ { print $1 }' || true
}

# Prints the value of a variable in `.env`.
read_setting() {
	sed -n "s/^$1=//p" .env | tail -n 1
}

compose() {
	docker compose "$@"
}

postgres=
case ${3-} in
'') ;;
--postgres) postgres=1 ;;
*) set -- ;;
esac
[ $# -ge 2 ] && [ $# -le 3 ] || fail 'Uso: sh install.sh DOMÍNIO E-MAIL [--postgres]'
domain=$(printf %s "$1" | tr A-Z a-z)
mail=$2
is_domain "$domain" || fail "DOMÍNIO: escreva um nome como estudio.com.br"
is_mail "$mail" || fail "E-MAIL: escreva um endereço como ana@estudio.com.br"

for program in docker getent ss awk sed od; do
	command -v "$program" >/dev/null || fail "Falta o programa $program."
done
docker info >/dev/null 2>&1 || fail 'O Docker não responde: ele está instalado e rodando, e este usuário pode usá-lo?'
compose version >/dev/null 2>&1 || fail 'Falta o Docker Compose 2 (docker compose).'

release=$(cd -- "$(dirname -- "$0")/../.." && pwd)
[ -f "$release/VERSION" ] || fail "$release não é uma versão: faça uma com npm run release"
image=studio:$(tr -c 'A-Za-z0-9_.\n' - <"$release/VERSION")

folder=${STUDIO_DIR:-/opt/studio}
mkdir -p -- "$folder" 2>/dev/null && cd -- "$folder" || fail "$folder: não foi possível criar a pasta ou entrar nela."
folder=$(pwd)
new=$(mktemp .env.XXXXXX 2>/dev/null) || fail "$folder: não é possível gravar nesta pasta."
trap 'rm -f "$new"' EXIT
trap 'exit 130' HUP INT TERM

installed_domain=
if [ -f .env ]; then
	installed_domain=$(read_setting BASE_DOMAIN)
	[ "$installed_domain" = "$domain" ] || fail "$folder/.env é de $installed_domain. Outra instalação precisa de outra máquina."
	[ -z "$postgres" ] || [ -n "$(read_setting COMPOSE_PROFILES)" ] || fail "--postgres vale só para a primeira instalação; depois, move.mjs muda de banco (INSTALL.md)."
fi

addresses=$(resolve_addresses "$domain")
[ -n "$addresses" ] || fail "DNS: $domain não aponta para nenhum endereço. Crie os registros A (e AAAA) de $domain e de *.$domain."
for address in $addresses; do
	ip -o address 2>/dev/null | grep -Fq " $address/" || say "Aviso: $domain aponta para $address, que não é um endereço desta máquina (certo atrás de NAT)."
done
[ -n "$(resolve_addresses "api.$domain")" ] || say "Aviso: api.$domain não aponta para nenhum endereço. Falta o registro de *.$domain?"

running=
[ -f .env ] && [ -f compose.yaml ] && running=$(compose ps --quiet --status running)
if [ -z "$running" ]; then
	ports='80 443'
	for pair in PORT:3000 BFF_PORT:3001 CORE_PORT:3002 EDGE_ADMIN_PORT:3003; do
		port=
		[ -z "$installed_domain" ] || port=$(read_setting "${pair%:*}")
		ports="$ports ${port:-${pair#*:}}"
	done
	[ -z "$postgres" ] || ports="$ports 5432"
	for port in $ports; do
		[ -z "$(ss -Hltn "sport = :$port")" ] || fail "A porta $port já está em uso (ss -ltnp mostra por quem)."
	done
fi

say "Montando a imagem $image …"
docker build --quiet --file "$release/deploy/container/Containerfile" --tag "$image" "$release" >/dev/null

# The running version makes a backup before another version changes the database.
if [ -n "$running" ] && [ "$(read_setting STUDIO_IMAGE)" != "$image" ]; then
	backup=/data/before-${image#studio:}-$(date +%Y%m%d%H%M%S).backup
	compose exec -T core node backup.mjs "$backup" || fail 'O backup falhou; nada foi mudado. Parada (docker compose stop), a instalação muda de versão sem backup.'
	say "Backup da versão anterior: $backup (no volume data)"
fi

if [ -n "$installed_domain" ]; then
	awk -v line="STUDIO_IMAGE=$image" '/^STUDIO_IMAGE=/ { $0 = line; found = 1 } { print } END { if (!found) print line }' .env >"$new"
	mv -f "$new" .env
else
	password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
	public_addresses=$(printf '%s\n' "$addresses" | grep -v -e '^127\.' -e '^::1$' | tr '\n' , || true)
	sed -e "s/^STUDIO_IMAGE=.*/STUDIO_IMAGE=$image/" \
		-e "s/^BASE_DOMAIN=.*/BASE_DOMAIN=$domain/" \
		-e "s/^PUBLIC_URL=.*/PUBLIC_URL=https:\/\/$domain/" \
		-e "s/^ACME_EMAIL=.*/ACME_EMAIL=$mail/" \
		-e "s/^SERVER_IP=.*/SERVER_IP=${public_addresses%,}/" \
		-e "s/GENERATED/$password/" \
		${postgres:+-e 's/^#COMPOSE_PROFILES=/COMPOSE_PROFILES=/' -e 's/^#DATABASE_URL=/DATABASE_URL=/'} \
		"$release/deploy/container/env.example" >"$new"
	# Unlike mv, ln replaces no file that another run has written meanwhile.
	ln "$new" .env || fail "$folder/.env surgiu durante a instalação; nada foi mudado."
fi
changed=
[ ! -f Caddyfile ] || cmp -s "$release/deploy/container/Caddyfile" Caddyfile || changed=1
# The Caddyfile is written in place, because a running container has mounted it. Caddy is not its owner but must read it.
cp -- "$release/deploy/container/compose.yaml" "$release/deploy/container/Caddyfile" .
chmod 644 compose.yaml Caddyfile

say 'Iniciando …'
compose up --detach --remove-orphans || fail "Não iniciou. O que aconteceu: cd $folder && docker compose logs"
[ -z "$changed" ] || compose restart caddy

say "Pronto: https://$domain/admin"
if compose exec -T core test -f /data/first-password; then
	say 'A senha do primeiro administrador, até o primeiro login:'
	say "  cd $folder && docker compose exec core cat /data/first-password"
fi
