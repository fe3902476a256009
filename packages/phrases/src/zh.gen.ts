// Made by `npm run gen` from the folders beside it. Do not edit.
import { zh as agents } from './agents/zh.ts'
import { zh as agentsScreens } from './agents/screens.zh.ts'
import { zh as agentsSteps } from './agents/steps.zh.ts'
import { zh as alarms } from './alarms/zh.ts'
import { zh as alarmsScreens } from './alarms/screens.zh.ts'
import { zh as artifactRepository } from './artifact-repository/zh.ts'
import { zh as audit } from './audit/zh.ts'
import { zh as auditFile } from './audit/file.zh.ts'
import { zh as auditScreens } from './audit/screens.zh.ts'
import { zh as auth } from './auth/zh.ts'
import { zh as backups } from './backups/zh.ts'
import { zh as batchEdits } from './batch-edits/zh.ts'
import { zh as blueprints } from './blueprints/zh.ts'
import { zh as blueprintsImports } from './blueprints/imports.zh.ts'
import { zh as blueprintsPromotions } from './blueprints/promotions.zh.ts'
import { zh as blueprintsTakeovers } from './blueprints/takeovers.zh.ts'
import { zh as blueprintsTosca } from './blueprints/tosca.zh.ts'
import { zh as blueprintsUi } from './blueprints/ui.zh.ts'
import { zh as buildImages } from './build-images/zh.ts'
import { zh as catalog } from './catalog/zh.ts'
import { zh as catalogUi } from './catalog/ui.zh.ts'
import { zh as certificates } from './certificates/zh.ts'
import { zh as clusters } from './clusters/zh.ts'
import { zh as clustersHosts } from './clusters/hosts.zh.ts'
import { zh as clustersStorage } from './clusters/storage.zh.ts'
import { zh as codeQuality } from './code-quality/zh.ts'
import { zh as common } from './common/zh.ts'
import { zh as configCentre } from './config-centre/zh.ts'
import { zh as configCentreScreens } from './config-centre/screens.zh.ts'
import { zh as console } from './console/zh.ts'
import { zh as consoleNouns } from './console/nouns.zh.ts'
import { zh as consoleRoutes } from './console/routes.zh.ts'
import { zh as consoleStates } from './console/states.zh.ts'
import { zh as dashboard } from './dashboard/zh.ts'
import { zh as decisions } from './decisions/zh.ts'
import { zh as definitionReference } from './definition-reference/zh.ts'
import { zh as dockerfiles } from './dockerfiles/zh.ts'
import { zh as harbor } from './harbor/zh.ts'
import { zh as harborScreens } from './harbor/screens.zh.ts'
import { zh as helm } from './helm/zh.ts'
import { zh as helmReleases } from './helm/releases.zh.ts'
import { zh as imagesContents } from './images/contents.zh.ts'
import { zh as images } from './images/zh.ts'
import { zh as ingressAccessLog } from './ingress/access-log.zh.ts'
import { zh as ingress } from './ingress/zh.ts'
import { zh as ingressGlobal } from './ingress/global.zh.ts'
import { zh as ingressOutward } from './ingress/outward.zh.ts'
import { zh as ldap } from './ldap/zh.ts'
import { zh as logShipping } from './log-shipping/zh.ts'
import { zh as monitoring } from './monitoring/zh.ts'
import { zh as news } from './news/zh.ts'
import { zh as notifications } from './notifications/zh.ts'
import { zh as oauth } from './oauth/zh.ts'
import { zh as openstack } from './openstack/zh.ts'
import { zh as orchestrationCaches } from './orchestration/caches.zh.ts'
import { zh as orchestrationDefinitionFiles } from './orchestration/definition-files.zh.ts'
import { zh as orchestration } from './orchestration/zh.ts'
import { zh as orchestrationFindings } from './orchestration/findings.zh.ts'
import { zh as orchestrationLint } from './orchestration/lint.zh.ts'
import { zh as orchestrationOutgoing } from './orchestration/outgoing.zh.ts'
import { zh as orchestrationReleases } from './orchestration/releases.zh.ts'
import { zh as orchestrationServed } from './orchestration/served.zh.ts'
import { zh as orchestrationTerminals } from './orchestration/terminals.zh.ts'
import { zh as orchestrationVersions } from './orchestration/versions.zh.ts'
import { zh as permissions } from './permissions/zh.ts'
import { zh as pipelinesBuilds } from './pipelines/builds.zh.ts'
import { zh as pipelinesClones } from './pipelines/clones.zh.ts'
import { zh as pipelines } from './pipelines/zh.ts'
import { zh as pipelinesJobs } from './pipelines/jobs.zh.ts'
import { zh as pipelinesParameters } from './pipelines/parameters.zh.ts'
import { zh as pipelinesProposals } from './pipelines/proposals.zh.ts'
import { zh as pipelinesReports } from './pipelines/reports.zh.ts'
import { zh as pipelinesReviews } from './pipelines/reviews.zh.ts'
import { zh as pipelinesSources } from './pipelines/sources.zh.ts'
import { zh as pipelinesTriggers } from './pipelines/triggers.zh.ts'
import { zh as products } from './products/zh.ts'
import { zh as quotas } from './quotas/zh.ts'
import { zh as sample } from './sample/zh.ts'
import { zh as search } from './search/zh.ts'
import { zh as settings } from './settings/zh.ts'
import { zh as settingsLicense } from './settings/license.zh.ts'
import { zh as specification } from './specification/zh.ts'
import { zh as stacksContainers } from './stacks/containers.zh.ts'
import { zh as stacksCopies } from './stacks/copies.zh.ts'
import { zh as stacksDrift } from './stacks/drift.zh.ts'
import { zh as stacks } from './stacks/zh.ts'
import { zh as stacksMap } from './stacks/map.zh.ts'
import { zh as stacksPreview } from './stacks/preview.zh.ts'
import { zh as stacksRevisions } from './stacks/revisions.zh.ts'
import { zh as stacksScaling } from './stacks/scaling.zh.ts'
import { zh as stacksSizes } from './stacks/sizes.zh.ts'
import { zh as stacksSpec } from './stacks/spec.zh.ts'
import { zh as teams } from './teams/zh.ts'
import { zh as tokens } from './tokens/zh.ts'
import { zh as tracing } from './tracing/zh.ts'
import { zh as tracingUi } from './tracing/ui.zh.ts'
import { zh as trackers } from './trackers/zh.ts'
import { zh as trackersTapd } from './trackers/tapd.zh.ts'
import { zh as users } from './users/zh.ts'
import { zh as validators } from './validators/zh.ts'
import { zh as webhooks } from './webhooks/zh.ts'

export const zh = {
  ...agents,
  ...agentsScreens,
  ...agentsSteps,
  ...alarms,
  ...alarmsScreens,
  ...artifactRepository,
  ...audit,
  ...auditFile,
  ...auditScreens,
  ...auth,
  ...backups,
  ...batchEdits,
  ...blueprints,
  ...blueprintsImports,
  ...blueprintsPromotions,
  ...blueprintsTakeovers,
  ...blueprintsTosca,
  ...blueprintsUi,
  ...buildImages,
  ...catalog,
  ...catalogUi,
  ...certificates,
  ...clusters,
  ...clustersHosts,
  ...clustersStorage,
  ...codeQuality,
  ...common,
  ...configCentre,
  ...configCentreScreens,
  ...console,
  ...consoleNouns,
  ...consoleRoutes,
  ...consoleStates,
  ...dashboard,
  ...decisions,
  ...definitionReference,
  ...dockerfiles,
  ...harbor,
  ...harborScreens,
  ...helm,
  ...helmReleases,
  ...imagesContents,
  ...images,
  ...ingressAccessLog,
  ...ingress,
  ...ingressGlobal,
  ...ingressOutward,
  ...ldap,
  ...logShipping,
  ...monitoring,
  ...news,
  ...notifications,
  ...oauth,
  ...openstack,
  ...orchestrationCaches,
  ...orchestrationDefinitionFiles,
  ...orchestration,
  ...orchestrationFindings,
  ...orchestrationLint,
  ...orchestrationOutgoing,
  ...orchestrationReleases,
  ...orchestrationServed,
  ...orchestrationTerminals,
  ...orchestrationVersions,
  ...permissions,
  ...pipelinesBuilds,
  ...pipelinesClones,
  ...pipelines,
  ...pipelinesJobs,
  ...pipelinesParameters,
  ...pipelinesProposals,
  ...pipelinesReports,
  ...pipelinesReviews,
  ...pipelinesSources,
  ...pipelinesTriggers,
  ...products,
  ...quotas,
  ...sample,
  ...search,
  ...settings,
  ...settingsLicense,
  ...specification,
  ...stacksContainers,
  ...stacksCopies,
  ...stacksDrift,
  ...stacks,
  ...stacksMap,
  ...stacksPreview,
  ...stacksRevisions,
  ...stacksScaling,
  ...stacksSizes,
  ...stacksSpec,
  ...teams,
  ...tokens,
  ...tracing,
  ...tracingUi,
  ...trackers,
  ...trackersTapd,
  ...users,
  ...validators,
  ...webhooks,
}
