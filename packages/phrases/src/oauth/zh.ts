import type { en } from './en.ts'

export const zh = {
  // Refusals
  'oauth-claim': '声明名称只能包含字母、数字以及 _ . : / -',
  'oauth-client-required': '请输入身份提供方分配给本平台的客户端 ID',
  'oauth-secret-again': '已保存的客户端密钥属于另一个签发者，不会发送给当前签发者。请输入当前签发者的密钥。',
  'oauth-off': 'OAuth 登录未启用。请更换登录方式，或联系管理员启用。',
  'oauth-unavailable': '暂时无法使用 OAuth 登录：{problem}',
  'oauth-state': '本次登录是在其他浏览器中发起的，或已超过十分钟，或已被使用。请从登录页重新开始。',
  'oauth-code-refused': '身份提供方不再接受本次登录：授权码已被使用或已过期（{problem}）。请从登录页重新开始。',
  'oauth-client-refused':
    '身份提供方拒绝了本平台：客户端 ID 或客户端密钥有误（{problem}）。管理员可在 OAuth 设置中更正。',
  'oauth-provider-says': '身份提供方拒绝了登录：{problem}',
  'oauth-no-provider':
    '{issuer} 上没有可用的 OpenID Connect 身份提供方。请检查签发者地址：应为提供 /.well-known/openid-configuration 的地址。',
  'oauth-issuer-differs': '{issuer} 上的身份提供方自称为 {found}。请完全按此填写签发者。',
  'oauth-answer': '身份提供方的响应不完整，或不可信任。具体原因见服务器日志。',
  'oauth-refused':
    '无法使用 OAuth 登录：身份提供方的响应不可用。请更换登录方式，或将此编号告知管理员：{requestId}。审计日志中以该编号记录了原因。',
  'oauth-redirect-refused':
    '身份提供方不认识本平台的重定向地址（{problem}）。请在对方的客户端中原样登记 {redirectUri}。',
  'oauth-token-status':
    '身份提供方的令牌端点返回 HTTP {status}。请查看对方的日志，并确认其 discovery 中的地址是否正确。',
  'oauth-token-none': '身份提供方没有返回 ID 令牌。请确认授权范围包含 openid，且对方的客户端类型为 OpenID Connect。',
  'oauth-token-algorithm':
    '身份提供方使用 {algorithm} 签名，平台不接受。请在对方将该客户端的 ID 令牌签名算法改为以下之一，并在其 discovery 中声明：{accepted}。',
  'oauth-token-subject': 'ID 令牌没有说明用户是谁：其中的“sub”缺失、为空或不是文本。请在身份提供方更正“sub”的映射。',
  'oauth-userinfo-status':
    '身份提供方的 userinfo 端点返回 HTTP {status}（{problem}）。请检查对方该客户端的授权范围，或将缺少的声明加入 ID 令牌。',
  'oauth-userinfo-subject':
    '身份提供方的 userinfo 没有说明用户是谁，或与 ID 令牌不是同一用户：其中的“sub”不一致或不是文本。请在对方更正“sub”的映射。',
  'oauth-userinfo-answer':
    '身份提供方的 userinfo 端点返回的不是 JSON。请在对方改为返回普通 JSON，或将缺少的声明加入 ID 令牌。',
  'oauth-token-nonce':
    '身份提供方的响应属于另一次登录，或没有说明属于哪次登录：其中的“nonce”与发送的不一致。请从登录页重新开始。若每次都出现，身份提供方须在 ID 令牌中返回 nonce。',
  'oauth-token-time': '身份提供方的响应已过期或尚未生效：它与本服务器的时钟相差超过一分钟。请联系管理员校准时间。',
  'oauth-token-claim':
    '身份提供方的响应不是发给本平台的：其中的“{claim}”与预期不符。请联系管理员检查签发者和客户端 ID。',
  'oauth-token-key': '身份提供方的响应使用了未公布的密钥签名。如果对方刚刚更换密钥，请一分钟后重试。',
  'oauth-token-signature': '身份提供方响应的签名有误。请从登录页重新开始。',
  'oauth-logout-token': '该退出令牌不是发给本平台的，或已被使用',

  // Screens
  'oauth-ui-about': '用户使用组织的 OpenID Connect 身份提供方登录，例如 Keycloak、Microsoft Entra、Okta、GitLab',
  'oauth-ui-register': '在身份提供方处注册',
  'oauth-ui-register-about': '在身份提供方为本平台创建一个客户端，并填入以下地址',
  'oauth-ui-redirect-uri': '重定向地址',
  'oauth-ui-logout-uri': '退出登录后的重定向地址',
  'oauth-ui-backchannel-uri': '后端通道退出地址',
  'oauth-ui-keycloak': 'Keycloak 操作说明',
  'oauth-ui-keycloak-1':
    '在相应的 realm 中打开“Clients”，创建类型为 OpenID Connect 的客户端，并启用“Client authentication”和“Standard flow”',
  'oauth-ui-keycloak-2':
    '将重定向地址填入“Valid redirect URIs”，将退出登录后的重定向地址填入“Valid post logout redirect URIs”。在“Logout settings”中填写后端通道退出地址，并关闭“Front channel logout”。',
  'oauth-ui-keycloak-3':
    '如需将用户组映射到团队：在该客户端的“Client scopes”中打开其专属 scope，添加“Group Membership”映射器，声明名称填 groups。启用“Full group path”时，用户组名以斜杠开头。',
  'oauth-ui-keycloak-4':
    '在下方填写签发者（realm 的地址，https://…/realms/<名称>）、客户端 ID，以及“Credentials”页签中的密钥，然后测试连接',
  'oauth-ui-provider': '身份提供方',
  'oauth-ui-enabled': '在登录页显示',
  'oauth-ui-enabled-help': '启用前会连接身份提供方并校验客户端。其他登录方式不受影响。',
  'oauth-ui-name': '名称',
  'oauth-ui-name-help': '登录页按钮上显示的文字',
  'oauth-ui-name-example': '企业统一登录',
  'oauth-ui-issuer': '签发者',
  'oauth-ui-issuer-help': '提供 /.well-known/openid-configuration 的地址，不含该路径',
  'oauth-ui-issuer-plain':
    '未使用 https 时，处在本服务器与身份提供方之间的任何人都可以冒充任意用户登录。请使用 https。',
  'oauth-ui-client': '客户端 ID',
  'oauth-ui-secret': '客户端密钥',
  'oauth-ui-secret-help': '公开客户端留空。加密保存，之后不再显示。',
  'oauth-ui-scopes': '授权范围',
  'oauth-ui-scopes-help': '向身份提供方请求的范围，以空格分隔，必须包含 openid',
  'oauth-ui-people': '用户',
  'oauth-ui-people-about':
    '哪些声明包含用户的名称。名称仅用于显示：用户由身份提供方的唯一标识识别，因此不会成为同名的本地用户。',
  'oauth-ui-claim-user': '用户名声明',
  'oauth-ui-claim-nickname': '昵称声明',
  'oauth-ui-claim-email': '邮箱声明',
  'oauth-ui-create': '首次登录时创建账号',
  'oauth-ui-create-help': '关闭后，只有已有账号的用户可以登录',
  'oauth-ui-logout': '单点退出',
  'oauth-ui-logout-help':
    '在此退出登录时，同时结束身份提供方的会话（若对方支持）。注册后端通道退出地址后，在对方退出登录总会结束此处的会话。',
  'oauth-ui-teams': '团队',
  'oauth-ui-teams-about':
    '每次登录时，用户组的成员会加入映射的团队。用户离开该用户组后，由映射产生的成员资格随之结束；手动添加的成员资格不受影响。',
  'oauth-ui-claim-groups': '用户组声明',
  'oauth-ui-claim-groups-help':
    '名称，例如 groups 或 https://example.org/groups；或路径，例如 realm_access.roles。留空则不读取用户组。',
  'oauth-ui-group': '用户组',
  'oauth-ui-test': '测试',
  'oauth-ui-found': '身份提供方有响应，并接受此客户端',
  'oauth-ui-authorization': '登录页面',
  'oauth-ui-token': '令牌端点',
  'oauth-ui-end-session': '退出登录',
  'oauth-ui-not-offered': '不支持',
  'oauth-ui-pkce': '支持',
  'oauth-ui-pkce-untold': '未声明支持，但仍会使用',
  'oauth-ui-keys': '签名密钥',
  'oauth-ui-last': '最近一次登录',
  'oauth-ui-last-groups': '收到的用户组',
  'oauth-ui-groups-none': '无',
  'oauth-ui-groups-many': '过多，未列出',
  'oauth-ui-groups-unmapped':
    '没有映射与这些用户组匹配。请在映射中原样填写收到的用户组；若没有收到任何用户组，请检查用户组声明和授权范围。',
} satisfies Record<keyof typeof en, string>
