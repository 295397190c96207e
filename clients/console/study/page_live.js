// A page that riverboat solve --open serves asks for the nodes that it lacks; a page in a file has what it has.

function canAsk(node, i) {
  return page.live && (node.deals.length > 0 || node.actions[i] >= 0);
}

// The child for a choice, asked for if the page lacks it; null if there is none.
async function childFor(at, choice) {
  const node = page.nodes[at];
  if (node.children[choice] === null && canAsk(node, choice)) {
    const choices = [...pathTo(at).slice(0, -1).map((step) => step.choice), choice];
    const answer = await fetch(`node?path=${choices.join(".")}`);
    if (!answer.ok) {
      byId("turn").textContent = await answer.text();
      return null;
    }
    const child = await answer.json();
    if (node.children[choice] === null) {
      parents.push({ at, choice });
      node.children[choice] = page.nodes.push(child) - 1;
    }
  }
  return node.children[choice];
}

async function walkOn(at, choice) {
  if (page.nodes[at].children[choice] === null) byId("turn").textContent = "asking for this node…";
  walkTo(await childFor(at, choice));
}
