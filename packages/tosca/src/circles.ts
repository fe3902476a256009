import type { Node } from 'yaml'
import type { TemplateNode } from './template.ts'

interface Circle {
  names: string[]
  at: Node
}

/** Circular dependencies of services: each circle once, at the requirement that closes it. */
export function circles(services: readonly TemplateNode[]): Circle[] {
  const known = new Map(services.map((node) => [node.name, node]))
  const done = new Set<string>()
  const found: Circle[] = []
  for (const start of known.keys()) {
    // iterative: a dependency chain may be as long as the template
    const way: { name: string; next: number }[] = done.has(start) ? [] : [{ name: start, next: 0 }]
    const onWay = new Set(way.map(({ name }) => name))
    for (let step = way.at(-1); step; step = way.at(-1)) {
      const requirement = known.get(step.name)?.requirements[step.next]
      step.next += 1
      if (!requirement) {
        way.pop()
        onWay.delete(step.name)
        done.add(step.name)
        continue
      }
      const { name, node, at } = requirement
      if (name !== 'dependency' || !known.has(node) || node === step.name || done.has(node)) continue
      if (onWay.has(node)) {
        const names = way.map((one) => one.name)
        found.push({ names: [...names.slice(names.indexOf(node)), node], at })
      } else {
        way.push({ name: node, next: 0 })
        onWay.add(node)
      }
    }
  }
  return found
}

/** The services in start order: each after those that it requires, otherwise as written. */
export function startOrder<T extends { name: string; requires: readonly string[] }>(services: readonly T[]): T[] {
  const left = new Map(services.map((one) => [one.name, one]))
  const ordered: T[] = []
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ requires }) => !requires.some((name) => left.has(name)))
    // `circles` reports a circle; here it must only not loop forever
    const next = ready.length > 0 ? ready : [...left.values()]
    for (const one of next) left.delete(one.name)
    ordered.push(...next)
  }
  return ordered
}
