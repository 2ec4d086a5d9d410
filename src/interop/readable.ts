/** Texts from elsewhere, as a model may read them: in bounds, and without stacks. */

export const readable = (text: string): string => {
  const shown = withoutFrames(text).trim()
  return shown.length <= most ? shown : `${shown.slice(0, most)}…`
}

const most = 4000

export const withoutFrames = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^\s*at .*(:\d+:\d+|<anonymous>|native|index \d+)\)?$/.test(line))
    .join("\n")
