import type { en } from './en.ts'

export const zh = {
  'oauth-ui-about': '使用企业的 OpenID Connect 身份提供方登录，例如 Keycloak、Microsoft Entra、Okta、GitLab',

  'oauth-ui-register': '在身份提供方处登记',
  'oauth-ui-register-about': '在身份提供方为本系统创建一个客户端，并填入以下地址',
  'oauth-ui-redirect-uri': '重定向地址',
  'oauth-ui-logout-uri': '注销后的重定向地址',
  'oauth-ui-backchannel-uri': '后端通道注销地址',
  'oauth-ui-keycloak': '在 Keycloak 中如何操作',
  'oauth-ui-keycloak-1':
    '在相应的 realm 中打开“Clients”，创建类型为 OpenID Connect 的客户端，并启用“Client authentication”和“Standard flow”。',
  'oauth-ui-keycloak-2':
    '将重定向地址填入“Valid redirect URIs”，将注销后的重定向地址填入“Valid post logout redirect URIs”。后端通道注销地址填在“Logout settings”中，并关闭“Front channel logout”。',
  'oauth-ui-keycloak-3':
    '如需按组加入团队：在该客户端的“Client scopes”中打开其专属 scope，添加“Group Membership”映射器，声明名称填 groups。启用“Full group path”时，组名以斜杠开头。',
  'oauth-ui-keycloak-4':
    '在下方填写签发者（realm 的地址，https://…/realms/<名称>）、客户端 ID，以及“Credentials”页签中的密钥，然后测试连接。',

  'oauth-ui-provider': '身份提供方',
  'oauth-ui-enabled': '在登录页提供',
  'oauth-ui-enabled-help': '启用前会连接身份提供方并校验客户端。其他登录方式不受影响',
  'oauth-ui-name': '名称',
  'oauth-ui-name-help': '登录页按钮上显示的文字',
  'oauth-ui-name-example': '企业统一登录',
  'oauth-ui-issuer': '签发者',
  'oauth-ui-issuer-help': '提供 /.well-known/openid-configuration 的地址，不含该路径',
  'oauth-ui-issuer-plain': '未使用 https 时，处在本服务器与身份提供方之间的任何人都可以冒充他人登录。请使用 https',
  'oauth-ui-client': '客户端 ID',
  'oauth-ui-secret': '客户端密钥',
  'oauth-ui-secret-help': '公开客户端留空。密钥加密保存，不会再次显示',
  'oauth-ui-scopes': '授权范围',
  'oauth-ui-scopes-help': '向身份提供方请求的范围，以空格分隔；openid 必不可少',

  'oauth-ui-people': '用户',
  'oauth-ui-people-about':
    '哪些声明携带用户的名称。名称仅用于显示：用户身份由身份提供方的唯一标识决定，因此不会成为同名的本地用户',
  'oauth-ui-claim-user': '用户名声明',
  'oauth-ui-claim-nickname': '昵称声明',
  'oauth-ui-claim-email': '邮箱声明',
  'oauth-ui-create': '首次登录时创建账号',
  'oauth-ui-create-help': '关闭后，只有已有账号的用户可以登录',
  'oauth-ui-logout': '单点注销',
  'oauth-ui-logout-help':
    '在此注销时，同时结束在身份提供方的会话（若对方支持）。登记后端通道注销地址后，在对方注销总会结束此处的会话',

  'oauth-ui-teams': '团队',
  'oauth-ui-teams-about':
    '每次登录时，属于某个组的用户会加入对应团队。离开该组后，由映射产生的成员身份会被收回；手动添加的成员不受影响',
  'oauth-ui-claim-groups': '组声明',
  'oauth-ui-claim-groups-help':
    '名称，例如 groups 或 https://example.org/groups；或路径，例如 realm_access.roles。留空则不读取组',
  'oauth-ui-group': '组',

  'oauth-ui-test': '测试',
  'oauth-ui-found': '身份提供方可用，并接受此客户端',
  'oauth-ui-authorization': '登录页面',
  'oauth-ui-token': '令牌端点',
  'oauth-ui-end-session': '注销',
  'oauth-ui-not-offered': '未提供',
  'oauth-ui-pkce': '支持',
  'oauth-ui-pkce-untold': '未声明支持，但仍会使用',
  'oauth-ui-keys': '签名密钥',
} satisfies Record<keyof typeof en, string>
