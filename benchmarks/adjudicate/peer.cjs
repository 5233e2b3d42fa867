// The same game on boardgame.io: pay a fraction from a pool, put a unit from the box on a ring track, checked.
// Its local client, no network and no screen. Prints one line of JSON.
//   node peer.cjs MOVES undo|no-undo FOLDER      FOLDER is where boardgame.io was installed
process.env.NODE_ENV = 'production';
const path = require('node:path');
const { createRequire } = require('node:module');
const { performance } = require('node:perf_hooks');

const [moves, mode, folder] = [Number(process.argv[2]), process.argv[3], process.argv[4]];
const installed = createRequire(path.resolve(folder) + path.sep);
const { Client } = installed('boardgame.io/client');
const { INVALID_MOVE } = installed('boardgame.io/core');
const { CreateGameReducer, InitializeGame } = installed('boardgame.io/internal');

const UNITS = 200, TRACK = 100, REFUSALS = 5000;
const COSTS = [[1, 2], [1, 3], [3, 4], [2, 3]];

// Exact points as [numerator, denominator], in lowest terms.
function divisor(a, b) {
  while (b) [a, b] = [b, a % b];
  return a || 1;
}
function minus([a, b], [c, d]) {
  const over = a * d - c * b, under = b * d, by = divisor(over, under);
  return [over / by, under / by];
}
const isLess = ([a, b], [c, d]) => a * d < c * b;

function rebuild({ G }, unit, pool) {
  const cost = COSTS[unit % COSTS.length];
  if (G.place[unit] !== 'box' || !(pool in G.pools) || isLess(G.pools[pool], cost)) return INVALID_MOVE;
  G.pools[pool] = minus(G.pools[pool], cost);
  G.place[unit] = 'track';
  const back = G.track[G.next];
  if (back !== null) G.place[back] = 'box';
  G.track[G.next] = unit;
  G.next = (G.next + 1) % TRACK;
}

const game = {
  name: 'ring',
  disableUndo: mode === 'no-undo',
  setup: () => ({
    pools: { A: [moves, 1], B: [moves, 1] },
    place: Array(UNITS).fill('box'),
    track: Array(TRACK).fill(null),
    next: 0,
  }),
  moves: { rebuild },
};

function play() {
  const client = Client({ game, debug: false });
  client.start();
  const quarters = [];
  let begun = performance.now();
  for (let i = 0; i < moves; i++) {
    client.moves.rebuild(i % UNITS, i % 2 ? 'A' : 'B');
    if ((i + 1) % (moves / 4) === 0) {
      quarters.push((performance.now() - begun) / 1000);
      begun = performance.now();
    }
  }
  return { client, quarters };
}

function replay(log) {
  const text = JSON.stringify(log), reducer = CreateGameReducer({ game });
  const begun = performance.now();
  let state = InitializeGame({ game });
  for (const entry of JSON.parse(text)) state = reducer(state, entry.action);
  return { state, seconds: (performance.now() - begun) / 1000 };
}

function refuse() {
  const client = Client({ game, debug: false });
  client.start();
  client.moves.rebuild(0, 'A');
  const error = console.error;
  console.error = () => {};
  const begun = performance.now();
  for (let i = 0; i < REFUSALS; i++) client.moves.rebuild(0, 'A');
  const seconds = (performance.now() - begun) / 1000;
  console.error = error;
  return REFUSALS / seconds;
}

const refusals = refuse();
const { client, quarters } = play();
const end = client.getState().G;
const again = replay(client.log);
console.log(JSON.stringify({
  quarters,
  replay: again.seconds,
  replay_is_the_same: JSON.stringify(again.state.G) === JSON.stringify(end),
  refusals_per_second: refusals,
  end: {
    pools: Object.fromEntries(Object.entries(end.pools).map(([pool, [n, d]]) => [pool, d === 1 ? `${n}` : `${n}/${d}`])),
    in_the_box: end.place.flatMap((place, unit) => (place === 'box' ? [String(unit)] : [])).sort(),
    track: end.track.map(String),
    next: end.next,
  },
}));
