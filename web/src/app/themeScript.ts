/**
 * Runs in the head, before the first paint, on every page: the kept theme becomes a class and a colour scheme.
 * Anything but `dark` is light (product-spec §4).
 */
export const themeScript = `(function(){var d=false;try{d=localStorage.getItem("theme")==="dark"}catch(e){}
var r=document.documentElement;r.classList.add(d?"dark":"light");r.style.colorScheme=d?"dark":"light"})()`;
