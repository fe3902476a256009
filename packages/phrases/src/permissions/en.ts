/** What one may do with a permission that several domains ask for, or whose domain has no phrases of the server. */
export const en = {
  'permission.system_agent_view': 'See the build agents and what they do',
  'permission.system_audit_view': 'See the audit log of the whole installation',
  'permission.system_cluster_view': 'See all clusters and the teams that use them',
  'permission.system_ldap_view': 'See directories (LDAP) and their mappings, without their passwords',
  'permission.system_oauth_view': 'See the provider of single sign-on, without its secret',
  'permission.system_setting_view': 'See the settings of the installation: login policy, mail, host',
  'permission.system_user_view': 'See all users, their teams and their states',
  'permission.team_audit_view': 'See what everybody did in the team (audit log)',
} as const
