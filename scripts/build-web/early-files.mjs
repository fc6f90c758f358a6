import { listFiles, listScreens, readManifest } from './manifest.mjs';

/**
 * Returns a script for the head of the console's page. The script requests the files of the screen at the page's URL;
 * the router would request them only after its own files have arrived. Without a session the script does nothing, because
 * the router redirects to the login. The script also adds stylesheets that lazy modules share with the screen. If the
 * stylesheets came after the first paint, the browser would compute the styles of all elements again.
 * @param folder the built client
 */
export async function createEarlyFilesScript(folder) {
  const manifest = await readManifest(folder);
  const files = [];
  const indexFile = (file) => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1);
  const screens = listScreens(manifest, folder).map((path) => {
    const { scripts, styles } = listFiles(manifest, path);
    return [path, [...styles, ...scripts].map(indexFile)];
  });
  return `(function(){try{if(!localStorage.getItem("token"))return}catch(e){return}
var f=${JSON.stringify(files)};var m=${JSON.stringify(Object.fromEntries(screens))},p=location.pathname;
(m[p]||m[Object.keys(m).find(function(k){return/:/.test(k)&&RegExp("^"+k.replace(/:\\w+/g,"[^/]+")+"$").test(p)})]||[]).forEach(function(n){
var l=document.createElement("link");l.rel=/css$/.test(f[n])?"stylesheet":"modulepreload";l.href=f[n];document.head.append(l)})})()`;
}
