/** Okapi BM25 over the names and descriptions of tools. */
import type { ToolDefinition } from "../ToolDefinition.ts"

/** How much saying a word more often counts, and how much a long text counts less. */
const saturation = 1.2
const lengthWeight = 0.75

/** The tools that have a word of the query, the best first; of equal ones those that are listed first. */
export const ranked = (query: string, tools: ReadonlyArray<ToolDefinition>): ReadonlyArray<string> => {
  const texts = tools.map(({ description = "", name }) => words(`${name} ${description}`))
  const averageLength = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length)
  const asked = Array.from(new Set(words(query)), (word) => {
    const having = texts.filter((text) => text.includes(word)).length
    return { word, weight: Math.log(1 + (texts.length - having + 0.5) / (having + 0.5)) }
  })
  const scoreOf = (text: ReadonlyArray<string>): number =>
    asked.reduce((sum, { weight, word }) => {
      const times = text.filter((other) => other === word).length
      const length = 1 - lengthWeight + (lengthWeight * text.length) / averageLength
      return sum + (weight * times * (saturation + 1)) / (times + saturation * length)
    }, 0)
  return tools
    .map(({ name }, i) => ({ name, score: scoreOf(texts[i]!) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ name }) => name)
}

/** `getUserById` is four words. */
const words = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []
