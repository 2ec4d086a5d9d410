/** The command line: bundled into one file with all that it needs, since `npx` installs no optional peers. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Logger } from "effect"
import { CliOutput, Command } from "effect/cli"
import { command, version } from "./cli/command.ts"
import { presenter } from "./cli/presenter.ts"

Command.run(command, { version }).pipe(
  Effect.provide([NodeServices.layer, CliOutput.layerPresenter(presenter)]),
  Effect.provideService(Logger.LogToStderr, true),
  NodeRuntime.runMain
)
