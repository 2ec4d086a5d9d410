/**
 * How often a law is tried. The same trees every time, so that a failure is there again; `LAWS_SEED` gives others (any
 * text; `random` for new ones each time), `LAWS_RUNS` so many times as many, and `LAWS_SHRINKS` limits the search for a
 * smaller tree.
 */
const { LAWS_RUNS: times = "1", LAWS_SEED: seed = "laws", LAWS_SHRINKS: shrinks } = process.env

export const often = (runs = 30) => ({
  timeout: 60_000 * Math.max(1, Number(times)),
  arbitrary: {
    runs: Math.ceil(runs * Number(times)),
    size: 20,
    seed: seed === "random" ? undefined : seed,
    maxShrinks: shrinks === undefined ? undefined : Number(shrinks)
  }
})
