import type { TestModule } from 'vitest/node'

const mostShown = 20

/** A reporter that lists the slowest tests at the end, where everybody's waiting time can be reduced. */
class SlowestTests {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules
      .flatMap((module) => [...module.children.allTests()])
      .map((test) => ({
        ms: test.diagnostic()?.duration ?? 0,
        name: `${test.module.relativeModuleId} > ${test.fullName}`,
      }))
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, mostShown)
    // one test alone needs no list
    if (tests.length < mostShown) return
    const lines = tests.map(({ ms, name }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
    process.stdout.write(`\nThe slowest ${mostShown} tests:\n${lines.join('\n')}\n`)
  }
}

export default SlowestTests
