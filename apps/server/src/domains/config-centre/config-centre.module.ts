import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { configHistory } from '@gantry/contract/config-centre/history'
import { configEntries, configProfiles } from '@gantry/contract/config-centre/profiles'
import { configProjects } from '@gantry/contract/config-centre/projects'
import { configReaders } from '@gantry/contract/config-centre/readers'
import { configTemplates } from '@gantry/contract/config-centre/templates'
import { attachment, stream } from '../../http/reply.ts'
import { defineModule } from '../../module.ts'
import { search } from './config-centre.search.ts'
import { addEntry, changeEntry, exportProfile, importFile, readEntries, removeEntry } from './entries.service.ts'
import { compareWith, readHistory, returnTo } from './history.service.ts'
import { changeProfile, createProfile, readProfile, readProfiles, removeProfile } from './profiles.service.ts'
import { cloneProject, createProject, readProjects, removeProject } from './projects.service.ts'
import { readReaders } from './readers.service.ts'
import {
  changeTemplate,
  createTemplate,
  readRendered,
  readTemplate,
  readTemplates,
  removeTemplate,
} from './templates.service.ts'

export const module = defineModule({
  routes(route) {
    route(configProjects.list, (ctx, { params, query }) => readProjects(ctx, params.teamId, query))
    route(configProjects.create, (ctx, { params, body }) => createProject(ctx, params.teamId, body))
    route(configProjects.clone, (ctx, { params, body }) => cloneProject(ctx, params.teamId, params.name, body.name))
    route(configProjects.remove, (ctx, { params }) => removeProject(ctx, params.teamId, params.name))
    route(configProfiles.list, (ctx, { params, query }) => readProfiles(ctx, params.teamId, params.name, query))
    route(configProfiles.create, (ctx, { params, body }) => createProfile(ctx, params.teamId, params.name, body))
    route(configProfiles.get, (ctx, { params }) => readProfile(ctx, params.teamId, params.uuid))
    route(configProfiles.update, (ctx, { params, body }) => changeProfile(ctx, params.teamId, params.uuid, body))
    route(configProfiles.remove, (ctx, { params }) => removeProfile(ctx, params.teamId, params.uuid))
    route(configProfiles.export, async (ctx, { params, query }) => {
      const { name, text } = await exportProfile(ctx, params.teamId, params.uuid, query.format)
      return stream(Readable.from([text]), { 'content-disposition': attachment(name) })
    })
    route(configProfiles.import, async (ctx, { params, query, upload }) =>
      importFile(ctx, params.teamId, params.uuid, { ...query, check: query.check === 'true' }, await buffer(upload)),
    )
    route(configEntries.list, (ctx, { params, query }) => readEntries(ctx, params.teamId, params.uuid, query))
    route(configEntries.add, (ctx, { params, body }) => addEntry(ctx, params.teamId, params.uuid, body))
    route(configEntries.update, (ctx, { params, body }) => changeEntry(ctx, params.teamId, params.uuid, body))
    route(configEntries.remove, (ctx, { params, query }) => removeEntry(ctx, params.teamId, params.uuid, query))
    route(configHistory.list, (ctx, { params, query }) => readHistory(ctx, params.teamId, params.uuid, query))
    route(configHistory.compare, (ctx, { params }) => compareWith(ctx, params.teamId, params.uuid, params.revision))
    route(configHistory.returnTo, (ctx, { params, body }) =>
      returnTo(ctx, params.teamId, params.uuid, params.revision, body.current),
    )
    route(configTemplates.list, (ctx, { params, query }) => readTemplates(ctx, params.teamId, params.name, query))
    route(configTemplates.create, (ctx, { params, body }) => createTemplate(ctx, params.teamId, params.name, body))
    route(configTemplates.get, (ctx, { params }) => readTemplate(ctx, params.teamId, params.uuid))
    route(configTemplates.update, (ctx, { params, body }) => changeTemplate(ctx, params.teamId, params.uuid, body))
    route(configTemplates.remove, (ctx, { params }) => removeTemplate(ctx, params.teamId, params.uuid))
    route(configTemplates.rendered, (ctx, { params, query }) =>
      readRendered(ctx, params.teamId, params.templateId, query),
    )
    route(configReaders.list, (ctx, { params, query }) => readReaders(ctx, params.teamId, query))
  },
  search: [search],
})
