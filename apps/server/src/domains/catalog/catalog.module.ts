import { Readable } from 'node:stream'
import { catalogs, catalogTags } from '@gantry/contract/catalog/catalogs'
import { catalogTemplates } from '@gantry/contract/catalog/templates'
import { stream } from '../../http/reply.ts'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import { entries, presets } from './catalog.search.ts'
import {
  changeCatalog,
  createCatalog,
  createTag,
  getCatalog,
  readCatalogs,
  readCatalogsOfTeam,
  readImage,
  removeCatalog,
  removeTag,
  setImage,
} from './catalogs.service.ts'
import { listTags, teamsOfCatalog } from './catalogs.store.ts'
import { changeTemplate, createTemplate, getTemplate, readTemplates, removeTemplate } from './templates.service.ts'
import { placeOfTemplate } from './templates.store.ts'

export const module = defineModule({
  routes(route) {
    route(catalogs.list, (ctx, { query }) => readCatalogs(ctx, query))
    route(catalogs.create, (ctx, { body }) => createCatalog(ctx, body))
    route(catalogs.get, (ctx, { params }) => getCatalog(ctx, params.id))
    route(catalogs.update, (ctx, { params, body }) => changeCatalog(ctx, params.id, body))
    route(catalogs.remove, (ctx, { params }) => removeCatalog(ctx, params.id))
    route(catalogs.ofTeam, (ctx, { params, query }) => readCatalogsOfTeam(ctx, params.tenant, query))
    route(catalogs.setImage, (ctx, { params, upload }) => setImage(ctx, params.id, upload))
    route(catalogs.image, async (ctx, { params, query }) => {
      const { image, version } = await readImage(ctx, params.id)
      return stream(Readable.from([image]), {
        'content-length': String(image.length),
        // a version's picture never changes
        ...(query.v === version ? { 'cache-control': 'private, max-age=31536000, immutable' } : {}),
      })
    })
    route(catalogTags.list, (ctx) => listTags(ctx.db))
    route(catalogTags.create, (ctx, { body }) => createTag(ctx, body.name))
    route(catalogTags.remove, (ctx, { params }) => removeTag(ctx, params.id))
    route(catalogTemplates.list, (ctx, { params, query }) => {
      const { teamId, keyword = '' } = query
      return readTemplates(ctx, { catalogId: params.catalogId, teamId, keyword }, page(query))
    })
    route(catalogTemplates.create, (ctx, { body }) => createTemplate(ctx, body))
    route(catalogTemplates.update, (ctx, { params, body }) => changeTemplate(ctx, params.id, body))
    route(catalogTemplates.get, (ctx, { params }) => getTemplate(ctx, params.id))
    route(catalogTemplates.remove, (ctx, { params }) => removeTemplate(ctx, params.id))
  },
  owners: [
    { kind: 'catalog', teamsOf: (db, id) => teamsOfCatalog(db, Number(id)) },
    {
      kind: 'catalog-template',
      teamsOf: async (db, id) => {
        const place = await placeOfTemplate(db, Number(id))
        // no team sees a draft
        return place && (place.published ? teamsOfCatalog(db, place.catalogId) : [])
      },
    },
  ],
  search: [entries, presets],
})
