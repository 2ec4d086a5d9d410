import { Predicate } from "effect"

/** What a program needs of its environment to run at all, and nothing that it could give away. */
const posix = "HOME LOGNAME PATH SHELL TERM USER"
const windows =
  "APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE"

/** The variables of this process that a server gets without being given them. */
export const inherited = (): Record<string, string> => {
  const { env, platform } = globalThis.process
  return Object.fromEntries(
    (platform === "win32" ? windows : posix)
      .split(" ")
      .map((name) => [name, env[name]] as const)
      .filter((entry): entry is [string, string] => Predicate.isString(entry[1]))
  )
}
