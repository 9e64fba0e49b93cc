/* Before anything is drawn: the positions are for a page that cannot begin, and drawing them takes time. */

const unable = document.querySelector(".unable");
unable.hidden = "noModule" in document.currentScript;
addEventListener("error", () => {
  unable.hidden = document.querySelector(".session").hasChildNodes();
});
