import { filesOf, readManifest } from './manifest.mjs';

/** The screens whose files the page asks for at once: those of the menu. */
const SCREENS = [
  '/admin',
  '/tenants',
  '/projects',
  '/gateway/management',
  '/gateway/keys',
  '/gateway/metrics',
  '/settings',
];

/**
 * A script for the head of the console's page: asks for the files of the screen of the address. The router would ask only
 * once its own have come. Whoever is not logged in is led elsewhere. @param folder the built client
 */
export async function earlyFilesScript(folder) {
  const manifest = await readManifest(folder);
  const files = [];
  const numberOf = (file) => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1);
  const screens = SCREENS.map((path) => {
    const { scripts, styles } = filesOf(manifest, path);
    return [path, [...styles, ...scripts].map(numberOf)];
  });
  return `(function(){try{if(!localStorage.getItem("token"))return}catch(e){return}
var f=${JSON.stringify(files)};(${JSON.stringify(Object.fromEntries(screens))}[location.pathname]||[]).forEach(function(n){
var l=document.createElement("link"),c=/css$/.test(f[n]);l.rel=c?"preload":"modulepreload";if(c)l.as="style";l.href=f[n];document.head.append(l)})})()`;
}
