#!/usr/bin/env bash
# Builds the library, runs every row in turn on one Node, and prints medians and their ratios to the floor.
# usage: npm run bench [-- ROUNDS]
set -euo pipefail
cd "$(dirname "$0")"
rounds=${1:-1}
[ -d node_modules ] || npm ci --no-fund --no-audit
(cd .. && npm run --silent build >/dev/null)

node="node_modules/.bin/node --expose-gc"
# A young generation so large that nothing is collected inside a run, to count what it allocates.
roomy="--min-semi-space-size=128 --max-semi-space-size=128"

row() { # VARIANT script
  VARIANT=$1 $node "$2.mjs" all 2>/dev/null
  VARIANT=$1 $node $roomy "$2.mjs" mem 2>/dev/null
}

folders=()
for round in $(seq "$rounds"); do
  rm -rf out/*.json "out/$round"
  mkdir -p "out/$round"
  row composed effect-floor
  row deferred effect-ai
  for variant in static composed layered; do row "$variant" ours; done
  for variant in zod json; do row "$variant" ai; done
  mv out/*.json "out/$round/"
  folders+=("out/$round")
done
RATIO=effect-ai-deferred node_modules/.bin/node report.mjs "${folders[@]}"

(cd .. && .ci/documents)
$node openapi.mjs
$node durable.mjs
