/** A process of the cluster. Arguments: where the database is, its port, its name. */
import { NodeRuntime } from "@effect/platform-node"
import { Layer } from "effect"
import { runner } from "./engines.ts"
import { orders } from "./orders.ts"

const [, , url = "", port = "", name = ""] = process.argv

NodeRuntime.runMain(Layer.launch(orders(name).pipe(Layer.provide(runner(url, Number(port))))))
