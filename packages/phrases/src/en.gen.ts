// Made by `npm run gen` from the folders beside it. Do not edit.
import { en as agents } from './agents/en.ts'
import { en as agentsScreens } from './agents/screens.en.ts'
import { en as agentsSteps } from './agents/steps.en.ts'
import { en as alarms } from './alarms/en.ts'
import { en as alarmsScreens } from './alarms/screens.en.ts'
import { en as artifactRepository } from './artifact-repository/en.ts'
import { en as audit } from './audit/en.ts'
import { en as auditFile } from './audit/file.en.ts'
import { en as auditScreens } from './audit/screens.en.ts'
import { en as auth } from './auth/en.ts'
import { en as backups } from './backups/en.ts'
import { en as batchEdits } from './batch-edits/en.ts'
import { en as blueprints } from './blueprints/en.ts'
import { en as blueprintsImports } from './blueprints/imports.en.ts'
import { en as blueprintsPromotions } from './blueprints/promotions.en.ts'
import { en as blueprintsTakeovers } from './blueprints/takeovers.en.ts'
import { en as blueprintsTosca } from './blueprints/tosca.en.ts'
import { en as blueprintsUi } from './blueprints/ui.en.ts'
import { en as buildImages } from './build-images/en.ts'
import { en as catalog } from './catalog/en.ts'
import { en as catalogUi } from './catalog/ui.en.ts'
import { en as certificates } from './certificates/en.ts'
import { en as clusters } from './clusters/en.ts'
import { en as clustersHosts } from './clusters/hosts.en.ts'
import { en as clustersStorage } from './clusters/storage.en.ts'
import { en as codeQuality } from './code-quality/en.ts'
import { en as common } from './common/en.ts'
import { en as configCentre } from './config-centre/en.ts'
import { en as configCentreScreens } from './config-centre/screens.en.ts'
import { en as console } from './console/en.ts'
import { en as consoleNouns } from './console/nouns.en.ts'
import { en as consoleRoutes } from './console/routes.en.ts'
import { en as consoleStates } from './console/states.en.ts'
import { en as dashboard } from './dashboard/en.ts'
import { en as decisions } from './decisions/en.ts'
import { en as definitionReference } from './definition-reference/en.ts'
import { en as dockerfiles } from './dockerfiles/en.ts'
import { en as harbor } from './harbor/en.ts'
import { en as harborScreens } from './harbor/screens.en.ts'
import { en as helm } from './helm/en.ts'
import { en as helmReleases } from './helm/releases.en.ts'
import { en as imagesContents } from './images/contents.en.ts'
import { en as images } from './images/en.ts'
import { en as ingressAccessLog } from './ingress/access-log.en.ts'
import { en as ingress } from './ingress/en.ts'
import { en as ingressGlobal } from './ingress/global.en.ts'
import { en as ingressOutward } from './ingress/outward.en.ts'
import { en as ldap } from './ldap/en.ts'
import { en as logShipping } from './log-shipping/en.ts'
import { en as monitoring } from './monitoring/en.ts'
import { en as news } from './news/en.ts'
import { en as notifications } from './notifications/en.ts'
import { en as oauth } from './oauth/en.ts'
import { en as openstack } from './openstack/en.ts'
import { en as orchestrationCaches } from './orchestration/caches.en.ts'
import { en as orchestrationDefinitionFiles } from './orchestration/definition-files.en.ts'
import { en as orchestration } from './orchestration/en.ts'
import { en as orchestrationFindings } from './orchestration/findings.en.ts'
import { en as orchestrationLint } from './orchestration/lint.en.ts'
import { en as orchestrationOutgoing } from './orchestration/outgoing.en.ts'
import { en as orchestrationReleases } from './orchestration/releases.en.ts'
import { en as orchestrationServed } from './orchestration/served.en.ts'
import { en as orchestrationTerminals } from './orchestration/terminals.en.ts'
import { en as orchestrationVersions } from './orchestration/versions.en.ts'
import { en as permissions } from './permissions/en.ts'
import { en as pipelinesBuilds } from './pipelines/builds.en.ts'
import { en as pipelinesClones } from './pipelines/clones.en.ts'
import { en as pipelines } from './pipelines/en.ts'
import { en as pipelinesJobs } from './pipelines/jobs.en.ts'
import { en as pipelinesParameters } from './pipelines/parameters.en.ts'
import { en as pipelinesProposals } from './pipelines/proposals.en.ts'
import { en as pipelinesReports } from './pipelines/reports.en.ts'
import { en as pipelinesReviews } from './pipelines/reviews.en.ts'
import { en as pipelinesSources } from './pipelines/sources.en.ts'
import { en as pipelinesTriggers } from './pipelines/triggers.en.ts'
import { en as products } from './products/en.ts'
import { en as quotas } from './quotas/en.ts'
import { en as sample } from './sample/en.ts'
import { en as search } from './search/en.ts'
import { en as settings } from './settings/en.ts'
import { en as settingsLicense } from './settings/license.en.ts'
import { en as specification } from './specification/en.ts'
import { en as stacksContainers } from './stacks/containers.en.ts'
import { en as stacksCopies } from './stacks/copies.en.ts'
import { en as stacksDrift } from './stacks/drift.en.ts'
import { en as stacks } from './stacks/en.ts'
import { en as stacksMap } from './stacks/map.en.ts'
import { en as stacksPreview } from './stacks/preview.en.ts'
import { en as stacksRevisions } from './stacks/revisions.en.ts'
import { en as stacksScaling } from './stacks/scaling.en.ts'
import { en as stacksSizes } from './stacks/sizes.en.ts'
import { en as stacksSpec } from './stacks/spec.en.ts'
import { en as teams } from './teams/en.ts'
import { en as tokens } from './tokens/en.ts'
import { en as tracing } from './tracing/en.ts'
import { en as tracingUi } from './tracing/ui.en.ts'
import { en as trackers } from './trackers/en.ts'
import { en as trackersTapd } from './trackers/tapd.en.ts'
import { en as users } from './users/en.ts'
import { en as validators } from './validators/en.ts'
import { en as webhooks } from './webhooks/en.ts'

export const en = {
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
