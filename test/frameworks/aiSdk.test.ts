import { describe } from "@effect/vitest"
import * as Sdk from "ai"
import { MockLanguageModelV4 } from "ai/test"
import * as Lowest from "ai-lowest"
import * as LowestTest from "ai-lowest/test"
import { aiSdk } from "./aiSdk.ts"
import { endsRuns } from "./endings.ts"
import { tellsOutcomes } from "./outcomes.ts"

const frameworks = [
  aiSdk("the AI SDK", Sdk, MockLanguageModelV4),
  aiSdk("the AI SDK, as old as it may be", Lowest as never, LowestTest.MockLanguageModelV4 as never)
]

for (const framework of frameworks) {
  describe(framework.name, () => {
    tellsOutcomes(framework)
    endsRuns(framework)
  })
}
