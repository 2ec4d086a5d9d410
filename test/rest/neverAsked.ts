/** Headers that no model is asked for, by what they do. */
export const neverAsked: ReadonlyArray<string> = [
  // who asks
  [
    "Authorization",
    "Proxy-Authorization",
    "Cookie",
    "Cookie2",
    "Set-Cookie",
    "X-Api-Key",
    "api-key",
    "X-ApiKey",
    "DD-API-KEY"
  ],
  [
    "DD-APPLICATION-KEY",
    "X-Auth-Token",
    "X-Amz-Security-Token",
    "PLAID-SECRET",
    "X-Client-Secret",
    "X-Access-Token"
  ],
  [
    "X-CSRF-Token",
    "X-Session-Token",
    "X-Signature",
    "X-Password",
    "Private-Token",
    "X-Access-Key",
    "X-Secret-Key",
    "X_API_KEY"
  ],
  // how the request is framed, hop by hop
  [
    "Host",
    "Content-Length",
    "Content-Type",
    "Content-Encoding",
    "Transfer-Encoding",
    "Connection",
    "Keep-Alive"
  ],
  ["Proxy-Connection", "Proxy-Authenticate", "TE", "Trailer", "Upgrade", "Expect", "HTTP2-Settings", "Via"],
  ["Accept", "Accept-Encoding", "Accept-Charset"],
  // where it comes from, what it becomes
  ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Origin", "Referer"],
  [
    "X-HTTP-Method-Override",
    "X-HTTP-Method",
    "X-Method-Override",
    "X-Original-URL",
    "X-Rewrite-URL",
    "Sec-Fetch-Site"
  ]
].flat()

/** Headers that look like those, and are none. */
export const asked: ReadonlyArray<string> = [
  [
    "X-Tenant",
    "If-Match",
    "X-Page-Token",
    "Range",
    "Prefer",
    "From",
    "Accept-Language",
    "X-Request-Id",
    "Idempotency-Key"
  ],
  [
    "X-Token-Count",
    "X-Keyboard",
    "Monkey",
    "X-Hostname",
    "Notion-Version",
    "X-GitHub-Api-Version",
    "X-Secretary"
  ]
].flat()

/** Values that no header can have. */
export const brokenValues: ReadonlyArray<string> = [
  ["a\r\nx-evil: 1", "a\nb", "a\rb", "\0", "a\u007f", "é✓", "\u0100", "😀", "\ud800", "a\u2028b"]
].flat()
