/**
 * Runs in the head of every page, before the first paint. The stored theme sets a class, the colour scheme and the
 * colour of the browser's bars. The script creates the meta element, because React would not recognise a prerendered
 * element with a dark colour and would add a second element. Any value but `dark` is light (product §4).
 */
export const themeScript = `(function(){var d=false;try{d=localStorage.getItem("theme")==="dark"}catch(e){}
var r=document.documentElement;r.classList.add(d?"dark":"light");r.style.colorScheme=d?"dark":"light";
var m=document.createElement("meta");m.name="theme-color";m.content=d?"#0d1214":"#fafaf7";document.head.append(m)})()`;
