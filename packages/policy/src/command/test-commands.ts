/** Common test commands of projects. Approval of one, word for word, holds for the session (interface part 5 P). */
const testCommands = new Set([
  "npm test",
  "npm t",
  "npm run test",
  "pnpm test",
  "pnpm run test",
  "yarn test",
  "yarn run test",
  "bun test",
  "bun run test",
  "deno test",
  "deno task test",
  "cargo test",
  "go test ./...",
  "pytest",
  "python -m pytest",
  "python3 -m pytest",
  "uv run pytest",
  "poetry run pytest",
  "tox",
  "make test",
  "make check",
  "just test",
  "gradle test",
  "./gradlew test",
  "mvn test",
  "./mvnw test",
  "rake test",
  "bundle exec rspec",
  "mix test",
  "dotnet test",
  "swift test",
  "composer test",
])

export function isTestCommand(command: string): boolean {
  return testCommands.has(command)
}
