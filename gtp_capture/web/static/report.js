/** The pages for parents: they print themselves. */

document.querySelector("button").onclick = () => print();
