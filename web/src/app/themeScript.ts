/**
 * Runs in the head, before the first paint, on every page: the kept theme becomes a class, a colour scheme and the browser's own colour.
 * The meta is made here, not by React, which would not know the one of a dark page again and add a second.
 * Anything but `dark` is light (product §4).
 */
export const themeScript = `(function(){var d=false;try{d=localStorage.getItem("theme")==="dark"}catch(e){}
var r=document.documentElement;r.classList.add(d?"dark":"light");r.style.colorScheme=d?"dark":"light";
var m=document.createElement("meta");m.name="theme-color";m.content=d?"#0d1214":"#fafaf7";document.head.append(m)})()`;
