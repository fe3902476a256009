import { useUrlState } from '../../ui/table/url-state.ts'
import { ProfilePage } from './profile-page.tsx'
import { ProjectListPage } from './project-list-page.tsx'
import { ProjectPage } from './project-page.tsx'

/** The team's projects; with `?project` one of them, and with `?profile` the keys of one of its profiles. */
export function ConfigPage() {
  const [{ project, profile }] = useUrlState({ project: '', profile: '' })
  if (project === '') return <ProjectListPage />
  return profile === '' ? (
    <ProjectPage key={project} name={project} />
  ) : (
    <ProfilePage key={profile} project={project} uuid={profile} />
  )
}
