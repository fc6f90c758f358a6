import { paths } from '../../lib/routing/paths';

/**
 * The scripts of the pages that ship without React, as source text. The Content-Security-Policy allows them by their
 * hashes, so the BFF must not replace a placeholder in them.
 */

/** Runs in the head, before the first paint: shows the console's links if a token is stored. */
export const headScript = `try{localStorage.getItem("token")&&document.documentElement.classList.add("session")}catch(e){}`;

/** Runs at the end of the page: theme toggle, logout, and a menu that closes on Escape and on a click elsewhere. */
export const pageScript = `(function(){
var root=document.documentElement,menu=document.querySelector(".menu");
function show(dark){root.classList.toggle("dark",dark);root.classList.toggle("light",!dark);root.style.colorScheme=dark?"dark":"light";
document.querySelector("meta[name=theme-color]").content=dark?"#0d1214":"#fafaf7"}
function logOut(){try{var token=localStorage.getItem("token");localStorage.removeItem("token");
Object.keys(sessionStorage).forEach(function(k){if(k.indexOf("draft:")===0)sessionStorage.removeItem(k)});
if(token)fetch("/graphql",{method:"POST",keepalive:true,headers:{"Content-Type":"application/json",Authorization:"Bearer "+token},body:'{"query":"mutation Logout { logout }"}'}).catch(function(){})}catch(x){}}
document.addEventListener("click",function(e){
if(e.target.closest(".theme")){var dark=!root.classList.contains("dark");show(dark);try{localStorage.setItem("theme",dark?"dark":"light")}catch(x){}}
else if(e.target.closest("[data-logout]")){logOut();location.href="${paths.login}"}
if(menu&&menu.open&&!menu.contains(e.target))menu.open=false});
document.addEventListener("keydown",function(e){if(e.key==="Escape"&&menu&&menu.open){menu.open=false;menu.querySelector("summary").focus()}});
window.addEventListener("storage",function(e){if(e.key==="theme")show(e.newValue==="dark");if(e.key==="token"||!e.key)root.classList.toggle("session",!!e.newValue)})
})()`;
