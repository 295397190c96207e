// The page's data, and how the numbers of its nodes are unpacked. page.py describes how they are packed.

const page = JSON.parse(document.getElementById("data").textContent);

const NOTHING = 65535;
const WHOLE = 255;
const KEPT = 200; // unpacked nodes

const unpacked = new Map(); // node: a promise of its numbers
const parents = findParents();

function findParents() {
  const steps = new Array(page.nodes.length).fill(null);
  page.nodes.forEach((node, at) => {
    node.children.forEach((child, choice) => {
      if (child !== null) steps[child] = { at, choice };
    });
  });
  return steps;
}

// The nodes from the root to this one, each with the choice that leads on; null at the last.
function pathTo(at) {
  const path = [{ at, choice: null }];
  for (let above = parents[at]; above; above = parents[above.at]) path.unshift(above);
  return path;
}

function numbersOf(at) {
  if (!unpacked.has(at)) {
    if (unpacked.size >= KEPT) unpacked.clear();
    unpacked.set(at, unpack(page.nodes[at]));
  }
  return unpacked.get(at);
}

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

// The numbers of a node by holding: weights, evs and equities of both players; evs and frequencies of each action.
async function unpack(node) {
  const buffer = await inflate(node.packed);
  const size = Math.ceil(page.holdings.length / 8);
  const live = [0, 1].map((player) => placesOfBits(new Uint8Array(buffer, player * size, size)));
  const actors = node.player < 0 ? [] : live[node.player];
  let at = 2 * size;

  function next(places, low, step) {
    const [lows, highs] = [nextBytes(places.length), nextBytes(places.length)];
    return spread(places, (i) => {
      const count = lows[i] + 256 * highs[i];
      return count === NOTHING ? NaN : low + step * count;
    });
  }

  function nextBytes(count) {
    at += count;
    return new Uint8Array(buffer, at - count, count);
  }

  function nextFrequencies() {
    const parts = nextBytes(actors.length);
    return spread(actors, (i) => parts[i] / WHOLE);
  }

  const players = live.map((places, player) => ({
    live: places,
    weights: next(places, 0, node.weight_steps[player]).map((weight) => weight || 0),
    evs: next(places, node.ev_low, node.ev_step),
    equities: next(places, 0, node.equity_step),
  }));
  const actionEvs = node.actions.map(() => next(actors, node.ev_low, node.ev_step));
  const strategy = node.actions.map(nextFrequencies);
  return { players, actionEvs, strategy };
}

function placesOfBits(bytes) {
  const places = [];
  for (let i = 0; i < page.holdings.length; i++) {
    if ((bytes[i >> 3] >> (i & 7)) & 1) places.push(i);
  }
  return places;
}

function spread(places, valueOf) {
  const values = new Float32Array(page.holdings.length).fill(NaN);
  places.forEach((place, i) => (values[place] = valueOf(i)));
  return values;
}

// Holdings that share no card with a board.
function possible(holdings, board) {
  const dead = new Set(cardsOf(board));
  return holdings.filter((holding) => !cardsOf(page.holdings[holding]).some((card) => dead.has(card)));
}

function cardsOf(text) {
  return text.match(/../g) ?? [];
}

function mean(values, weights, holdings) {
  let sum = 0;
  let total = 0;
  for (const holding of holdings) {
    if (weights[holding] > 0 && !Number.isNaN(values[holding])) {
      sum += values[holding] * weights[holding];
      total += weights[holding];
    }
  }
  return total > 0 ? sum / total : NaN;
}

// Averages over some holdings of a player: weight, EV, equity and the frequency of each action.
function together(node, numbers, player, holdings) {
  const { weights, evs, equities } = numbers.players[player];
  const free = possible(holdings, node.board);
  const total = free.reduce((sum, holding) => sum + weights[holding], 0);
  const acts = player === node.player;
  return {
    free,
    weight: free.length ? total / free.length : 0,
    count: total,
    ev: mean(evs, weights, free),
    equity: mean(equities, weights, free),
    frequencies: acts ? numbers.strategy.map((row) => mean(row, weights, free)) : [],
  };
}
