/** What the command line itself says: help where it is asked for, and what was typed wrong, in a sentence, on stderr. */
import { Console } from "effect"
import { type CliError, CliOutput } from "effect/cli"

/** Standard output is the protocol's. Values are not repeated: one behind a misspelled flag may be a secret. */
export const presenter: CliOutput.Presenter = {
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Console.error(
          [...event.errors.map(said), `See 'npx ${event.commandPath.join(" ")} --help'.`].join("\n")
        )
      : CliOutput.defaultPresenter.present(event)
}

const said = (error: CliError.NonShowHelpErrors): string => {
  switch (error._tag) {
    case "UnexpectedArgument":
      return "There is an argument without a flag before it."
    case "UnknownSubcommand":
      return `There is no such command.${meant(error.suggestions)}`
    case "InvalidValue":
      return error.value === "" ? error.message : error.message.replace(`: "${error.value}". `, ". ")
    default:
      return error.message
  }
}

const meant = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`
