// A page in a file has all the nodes that it will ever have.

function canAsk() {
  return false;
}

function walkOn(at, choice) {
  walkTo(page.nodes[at].children[choice]);
}
