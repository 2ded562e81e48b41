import assert from "node:assert/strict"
import { test } from "node:test"
import type { KeySyntax } from "../src/sensitive/secret-table.ts"
import { redactKeys } from "../src/sensitive/redact-keys.ts"

/** As written by programs. `HIDEME` must never be shown. */
const files: readonly (readonly [what: string, form: KeySyntax, text: string])[] = [
  ["npm", "lines", "registry=https://npm.corp/\n//npm.corp/:_authToken=HIDEME\n@corp:registry=https://npm.corp/\n"],
  ["npm, old", "lines", "_auth = HIDEME\nemail=a@b.c\n//npm.corp/:_password=HIDEME\n//npm.corp/:username=me\n"],
  ["npm, quoted", "lines", '//npm.corp/:_authToken="HIDEME" ; mine\nproxy=http://me:HIDEME@proxy:8080\n'],
  ["npm, in a comment", "lines", "; //npm.corp/:_authToken=HIDEME\n"],
  ["yarn 1", "lines", '"//npm.corp/:_authToken" "HIDEME"\nregistry "https://npm.corp"\n'],
  ["yarn", "lines", "npmScopes:\n  corp:\n    npmAuthToken: HIDEME\n    npmRegistryServer: https://npm.corp\n"],
  ["yarn, ident", "lines", 'npmAuthIdent: "me:HIDEME"\nnodeLinker: node-modules\n'],
  [
    "pip",
    "lines",
    "[global]\nindex-url = https://me:HIDEME@pypi.corp/simple\nextra-index-url =\n  https://HIDEME@other/simple\n",
  ],
  ["conda", "lines", "channels:\n  - https://conda.anaconda.org/t/HIDEME/corp\n  - defaults\n"],
  ["cargo", "lines", '[registries.corp]\nindex = "sparse+https://crates.corp/"\ntoken = "HIDEME"\n'],
  [
    "cargo, in one line",
    "lines",
    'registries.corp = { index = "https://c/", token = "HIDEME" }\n[env]\nCORP_TOKEN = "HIDEME"\n',
  ],
  [
    "bundler",
    "lines",
    '---\nBUNDLE_PATH: "vendor"\nBUNDLE_GEMS__CORP__COM: "me:HIDEME"\nBUNDLE_GITHUB__COM: HIDEME:x-oauth\n',
  ],
  [
    "gradle",
    "lines",
    "org.gradle.caching=true\nnexusUser=me\nnexusPassword=HIDEME\nsystemProp.https.proxyPassword=HIDEME\n",
  ],
  ["gradle, spaced", "lines", "corp.token : HIDEME\r\nartifactory_apikey HIDEME\n".replace("apikey ", "apikey=")],
  ["terraform", "lines", 'credentials "app.terraform.io" {\n  token = "HIDEME"\n}\nplugin_cache_dir = "/x"\n'],
  ["docker", "json", '{"auths":{"r.corp":{"auth":"HIDEME","identitytoken":"HIDEME"}},"currentContext":"c"}'],
  ["docker, proxy", "json", '{"HttpHeaders":{"X":"HIDEME"},"proxies":{"default":{"httpProxy":"http://me:HIDEME@p"}}}'],
  ["maven", "xml", "<settings><servers><server><id>c</id><password>HIDEME</password></server></servers></settings>"],
  ["maven, in lines", "xml", "<server>\n<passphrase>\n  HIDEME\n</passphrase>\n<username>me</username></server>"],
  ["maven, headers", "xml", "<httpHeaders><property><name>A</name><value>HIDEME</value></property></httpHeaders>"],
  ["nuget", "xml", '<add key="Username" value="me" /><add key="ClearTextPassword" value="HIDEME" />'],
]

for (const [what, form, text] of files)
  test(`keys are removed from a settings file, and the rest stays: ${what}`, () => {
    const shown = redactKeys(text, form)
    assert.ok(shown !== null && !shown.includes("HIDEME"), String(shown))
    for (const word of text.match(/[\w.-]{2,}/g) ?? [])
      if (!/HIDEME|^(?:me|proxy|x-oauth|mine|http|A)$/.test(word)) assert.ok(shown.includes(word), `${word}: ${shown}`)
    assert.equal(redactKeys(shown, form), shown, "and once more changes nothing")
  })

const plain: readonly (readonly [what: string, form: KeySyntax, text: string])[] = [
  ["npm", "lines", "registry=https://r/\nalways-auth=true\nauth-type=legacy\ncafile=/x\n; token\n"],
  ["a variable for a key", "lines", "//npm.corp/:_authToken=${NPM_TOKEN}\nproxy=http://me:${PW}@p:1\n"],
  ["ssh and git addresses", "lines", "git=ssh://git@host/x\n"],
  [
    "yarn",
    "lines",
    'npmAuthToken: "${NPM_TOKEN-}"\nenableTelemetry: false\nsupportedArchitectures:\n  os:\n    - linux\n',
  ],
  ["pip", "lines", "[global]\nindex-url = https://pypi.corp/simple\ntrusted-host = pypi.corp\n"],
  ["cargo", "lines", '[registry]\nglobal-credential-providers = ["cargo:token"]\n[build]\njobs = 4\n'],
  ["bundler", "lines", '---\nBUNDLE_MIRROR__HTTPS://RUBYGEMS__ORG/: "https://mirror/"\nBUNDLE_JOBS: "4"\n'],
  ["gradle", "lines", "org.gradle.jvmargs=-Xmx2g -XX:MaxMetaspaceSize=512m\nsigning.keyId=24875D73\n"],
  ["docker", "json", '{"auths": {"r.corp": {}}, "credsStore": "pass", "currentContext": "c"}'],
  ["maven", "xml", "<settings><mirrors><mirror><url>https://m/</url></mirror></mirrors></settings>"],
  ["maven, variable", "xml", "<server><password>${env.PW}</password></server>"],
  ["nuget", "xml", '<add key="nuget.org" value="https://api.nuget.org/v3/index.json" protocolVersion="3" />'],
  ["an empty key", "lines", "npmAuthToken:\nlist:\n  - x\n"],
  ["nothing", "json", ""],
  ["nothing but blanks", "json", " \n"],
  ["keys that are empty or no text", "json", '{"token":"","a":[{"key":5}]}'],
]

test("a settings file without keys stays byte for byte", () => {
  for (const [what, form, text] of plain) assert.equal(redactKeys(text, form), text, what)
})

test("keys in lists of a settings file are removed, and the lists stay", () => {
  assert.equal(
    redactKeys('{"a":[{"token":"HIDEME","b":"c"}],"keys":["d"],"secret":["HIDEME"]}', "json"),
    `${JSON.stringify({ a: [{ token: "", b: "c" }], keys: ["d"], secret: [""] }, null, 2)}\n`,
  )
})

test("a file with a key of unclear end is hidden completely", () => {
  assert.equal(redactKeys("npmAuthToken: |\n  HIDEME\n", "lines"), null)
  assert.equal(redactKeys("npmAuthToken:\n  HIDEME\n", "lines"), null)
  assert.equal(redactKeys("npmAuthToken:\r\n  HIDEME\r\n", "lines"), null)
  assert.equal(redactKeys("corpPassword=HIDE\\\n  ME\n", "lines"), null)
  assert.equal(redactKeys('token = """\nHIDEME"""\n', "lines"), null)
  assert.equal(redactKeys('{"auths": {"r": {"auth": "HIDEME"', "json"), null)
})

test("keys of bundler are recognized only at the beginning of a line", () => {
  const text = "note BUNDLE_X: name:word\nBUNDLE_PATH: vendor\nBUNDLE_URL: https://h:8080/a\n"
  assert.equal(redactKeys(text, "lines"), text)
  assert.equal(redactKeys("BUNDLE_GEMS__CORP: name:HIDEME\n", "lines"), 'BUNDLE_GEMS__CORP: ""\n')
})
