/** Metrics that say no secrets: their names, descriptions and attributes, and the words that they count. */
import { type Metric, Predicate } from "effect"
import type { Mask } from "./mask.ts"

/** The same registry, but for what is put into it. */
export const quietRegistry = (mask: Mask, registry: Metric.MetricRegistry): Metric.MetricRegistry => {
  const own: Partial<Metric.MetricRegistry> = {
    get: (key) => {
      const metric = registry.get(mask(key))
      return metric === undefined ? undefined : { ...metric, hooks: quietHooks(mask, metric.hooks) }
    },
    set: (key, metric) => {
      const { hooks } = metric
      // Whoever registers a metric goes on with these hooks.
      Object.assign(metric, { hooks: quietHooks(mask, hooks) })
      registry.set(mask(key), {
        ...metric,
        hooks,
        id: mask(metric.id),
        description: metric.description === undefined ? undefined : mask(metric.description),
        attributes: mask(metric.attributes) as typeof metric.attributes
      })
      return quietRegistry(mask, registry)
    },
    has: (key) => registry.has(mask(key)),
    delete: (key) => registry.delete(mask(key))
  }
  return new Proxy(registry, {
    get: (target, key) => {
      if (Object.hasOwn(own, key)) return own[key as keyof typeof own]
      const value: unknown = Reflect.get(target, key, target)
      return Predicate.isFunction(value) ? value.bind(target) : value
    }
  })
}

/** Numbers are measured, words are counted. */
const quietHooks = <Hooks extends Metric.Metric.Hooks<any, any>>(mask: Mask, hooks: Hooks): Hooks => ({
  ...hooks,
  update: (input, context) => hooks.update(Predicate.isString(input) ? mask(input) : input, context),
  modify: (input, context) => hooks.modify(Predicate.isString(input) ? mask(input) : input, context)
})
