// Combinations: their number, and all of them one after another.

function choose(n, k) {
  if (k < 0 || k > n) return 0;
  let product = 1;
  for (let i = 0; i < k; i++) product = (product * (n - i)) / (i + 1);
  return Math.round(product);
}

// All ways to take k of some cards; the same array is yielded every time.
function* combinations(cards, k) {
  const at = Array.from({ length: k }, (_, i) => i);
  const taken = at.map((i) => cards[i]);
  if (k > cards.length) return;
  for (;;) {
    yield taken;
    let i = k - 1;
    while (i >= 0 && at[i] === cards.length - k + i) i--;
    if (i < 0) return;
    for (at[i]++, taken[i] = cards[at[i]]; ++i < k; ) taken[i] = cards[(at[i] = at[i - 1] + 1)];
  }
}

function permutations(items) {
  if (items.length < 2) return [items];
  return items.flatMap((first, i) => permutations(items.filter((_, j) => j !== i)).map((rest) => [first, ...rest]));
}

module.exports = { choose, combinations, permutations };
