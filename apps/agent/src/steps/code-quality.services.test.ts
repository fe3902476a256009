import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { labService } from '../../test/lab.ts'
import { script, work } from '../../test/works.ts'

/** A folder that steps see; they have their own folders for temporary files. */
const tools = process.getuid?.() === 0 ? mkdtempSync('/opt/gantry-scanner-') : ''
const name = 'sonar-scanner-cli-5.0.1.3006.jar'

/** Gets the scanner from Maven Central by Maven itself, as a program on a PATH. */
function hasScanner(): boolean {
  if (tools === '') return false
  try {
    const artifact = 'org.sonarsource.scanner.cli:sonar-scanner-cli:5.0.1.3006:jar'
    const options = [`-Dartifact=${artifact}`, `-DoutputDirectory=${tools}`]
    execFileSync('mvn', ['-q', '-B', 'dependency:copy', ...options], { stdio: 'ignore' })
    const tool = join(tools, 'sonar-scanner')
    writeFileSync(tool, `#!/bin/sh\nexec java -Xmx256m -jar ${tools}/${name} "$@"\n`)
    for (const path of [tools, tool]) chmodSync(path, 0o755)
    return true
  } catch {
    return false
  }
}

const lab = labService('sonarqube')
const url = lab?.['SONARQUBE_URL'] ?? ''
const token = lab?.['SONARQUBE_TOKEN'] ?? ''
const projectKey = lab?.['SONARQUBE_PROJECT'] ?? ''

describe.skipIf(lab === undefined || !hasScanner())(
  'a real scanner and SonarQube (needs the lab: GANTRY_LAB, and java and mvn)',
  () => {
    let server: FakeServer
    let agent: AgentProcess
    beforeAll(async () => {
      server = await fakeServer()
      agent = await agentProcess(server.url, { PATH: `${tools}:${process.env['PATH'] ?? ''}` })
    })
    afterAll(async () => {
      await agent.close()
      await server.close()
      rmSync(tools, { recursive: true })
    })

    test('analyse the workspace with the step’s properties, whatever the project’s own files contain', async () => {
      server.on.codeQuality = () => ({
        analysis: { url, token, tokenProperty: 'sonar.login', projectKey },
        reason: null,
      })
      let task = ''
      server.on.codeQualityResult = (given) => {
        task = given
        return { state: 'success', log: [], reason: null }
      }
      const quality: StepInput = { type: 'code-quality', name: 'quality', gate: { bugs: 0 } }
      const own =
        'sonar.host.url=http://127.0.0.1:1\\nsonar.projectKey=other\\nsonar.scanner.metadataFilePath=/dev/null\\n'
      const build = server.give(
        work([script(`echo 'print(1)' > main.py; printf '${own}' > sonar-project.properties`), quality]),
      )
      const { state, reason } = await build.ended
      expect({ state, reason }).toEqual({ state: 'success' })
      expect(build.log(1)).not.toContain(token)
      const answer = await fetch(`${url}/api/ce/task?id=${task}`, {
        headers: { authorization: `Basic ${btoa(`${token}:`)}` },
      })
      expect(await answer.json()).toMatchObject({ task: { componentKey: projectKey } })
    }, 300_000)
  },
)
