import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { client, type Access } from './trial/client.ts'
import { suite } from './suite.ts'
import { makeNamespace, pathIn, type CaseContext } from './trial/trial.ts'

/** Registers every case of the suite as a test against the cluster that `open` gives access to. */
export function runContract(open: () => Promise<Access>): void {
  const mark = randomBytes(3).toString('hex')
  const namespaces: string[] = []
  let count = 0
  let trial: CaseContext

  beforeAll(async () => {
    const kube = client(await open())
    const newNamespace: CaseContext['newNamespace'] = async (labels = {}) => {
      const name = `contract-${mark}-${namespaces.length}`
      namespaces.push(name)
      await makeNamespace(kube, name, labels)
      return name
    }
    const namespace = await newNamespace()
    trial = {
      kube,
      namespace,
      newNamespace,
      name: (base) => `${base}-${mark}-${count++}`,
      at: (groupVersion, plural, name) => pathIn(namespace, groupVersion, plural, name),
    }
  })
  afterAll(async () => {
    await Promise.all(namespaces.map((name) => trial.kube.call('DELETE', `/api/v1/namespaces/${name}`)))
  })

  for (const [part, cases] of Object.entries(suite))
    describe(part, () => {
      // oxlint-disable-next-line vitest/expect-expect -- the cases have them
      for (const { title, run } of cases) test.concurrent(title, () => run(trial))
    })
}
