import { join } from 'node:path'
import { launch } from '../src/launch.ts'
import { mains } from '../src/parts.ts'

const beside = (file: string): string => join(import.meta.dirname, file)

await launch({
  mains: {
    server: beside('stand-in-server.ts'),
    agent: beside('stand-in-other.ts'),
    sandbox: beside('stand-in-other.ts'),
    checkConfig: mains.checkConfig,
    admin: mains.admin,
  },
})
