import { codeQuality } from '@gantry/contract/code-quality/results'
import { sonarqubes } from '@gantry/contract/code-quality/sonarqube'
import { defineModule } from '../../module.ts'
import { readProjectKey, readResults } from './results.service.ts'
import { readSonar, readVersion, saveSonar } from './settings.service.ts'

export const module = defineModule({
  routes(route) {
    route(sonarqubes.get, (ctx) => readSonar(ctx))
    route(sonarqubes.version, (ctx) => readVersion(ctx))
    route(sonarqubes.set, (ctx, { body }) => saveSonar(ctx, body))
    route(codeQuality.projectKey, (ctx, { params }) => readProjectKey(ctx, params.uuid))
    route(codeQuality.results, (ctx, { params }) => readResults(ctx, params.id, params.number))
  },
})
