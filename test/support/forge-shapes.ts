// Answers of GitHub's REST API, version 2022-11-28, as its own description gives them as examples: the repository
// github/rest-api-description (MIT), packed as @octokit/openapi 23.0.2, api.github.com.json, components/examples:
// workflow-run-paginated, check-run-paginated, combined-commit-status, issue, issue-comment-items, pull-request.
// Nested objects that nobody reads are left out. Nothing here was ever answered by GitHub itself.

export interface Run {
  id: number;
  workflow_id: number;
  run_number: number;
  run_attempt: number;
  head_sha: string;
  status: string;
  conclusion: string | null;
  name: string;
}

export const workflowRun = (more: Partial<Run> & { head_sha: string }) => ({
  id: 30433642,
  name: "Build",
  node_id: "MDEyOldvcmtmbG93IFJ1bjI2OTI4OQ==",
  check_suite_id: 42,
  check_suite_node_id: "MDEwOkNoZWNrU3VpdGU0Mg==",
  head_branch: "master",
  path: ".github/workflows/build.yml@main",
  run_number: 562,
  event: "push",
  display_title: "Update README.md",
  status: "queued",
  conclusion: null as string | null,
  workflow_id: 159038,
  url: "https://api.github.com/repos/octo-org/octo-repo/actions/runs/30433642",
  html_url: `https://github.com/octo-org/octo-repo/actions/runs/${more.id ?? 30433642}`,
  pull_requests: [],
  created_at: "2020-01-22T19:33:08Z",
  updated_at: "2020-01-22T19:33:08Z",
  run_attempt: 1,
  run_started_at: "2020-01-22T19:33:08Z",
  jobs_url: "https://api.github.com/repos/octo-org/octo-repo/actions/runs/30433642/jobs",
  logs_url: "https://api.github.com/repos/octo-org/octo-repo/actions/runs/30433642/logs",
  check_suite_url: "https://api.github.com/repos/octo-org/octo-repo/check-suites/414944374",
  artifacts_url: "https://api.github.com/repos/octo-org/octo-repo/actions/runs/30433642/artifacts",
  cancel_url: "https://api.github.com/repos/octo-org/octo-repo/actions/runs/30433642/cancel",
  rerun_url: "https://api.github.com/repos/octo-org/octo-repo/actions/runs/30433642/rerun",
  previous_attempt_url: null,
  workflow_url: "https://api.github.com/repos/octo-org/octo-repo/actions/workflows/159038",
  ...more,
});

export const checkRun = (more: {
  head_sha: string;
  id?: number;
  name?: string;
  status?: string;
  conclusion?: string | null;
  app?: { slug: string };
}) => ({
  id: 4,
  node_id: "MDg6Q2hlY2tSdW40",
  external_id: "",
  url: "https://api.github.com/repos/github/hello-world/check-runs/4",
  html_url: "https://github.com/github/hello-world/runs/4",
  details_url: "https://example.com",
  status: "completed",
  conclusion: "neutral" as string | null,
  started_at: "2018-05-04T01:14:52Z",
  completed_at: "2018-05-04T01:14:52Z",
  output: {
    title: null,
    summary: null,
    text: null,
    annotations_count: 0,
    annotations_url: "https://api.github.com/repos/github/hello-world/check-runs/4/annotations",
  },
  name: "mighty_readme",
  check_suite: { id: 5 },
  app: { id: 1, slug: "octoapp", node_id: "MDExOkludGVncmF0aW9uMQ==", name: "Octocat App" } as { slug: string },
  pull_requests: [],
  ...more,
});

export const commitStatus = (more: { id?: number; state?: string; context?: string } = {}) => ({
  url: "https://api.github.com/repos/octocat/Hello-World/statuses/6dcb09b5b57875f334f61aebed695e2e4193db5e",
  avatar_url: "https://github.com/images/error/hubot_happy.gif",
  id: 1,
  node_id: "MDY6U3RhdHVzMQ==",
  state: "success",
  description: "Build has completed successfully",
  target_url: "https://ci.example.com/1000/output" as string | null,
  context: "continuous-integration/jenkins",
  created_at: "2012-07-20T01:19:13Z",
  updated_at: "2012-07-20T01:19:13Z",
  ...more,
});

/** For a commit without any status GitHub says `pending`. */
export const combined = (sha: string, statuses: ReturnType<typeof commitStatus>[] = []) => ({
  state: statuses.length === 0 ? "pending" : "success",
  statuses,
  sha,
  total_count: statuses.length,
  commit_url: `https://api.github.com/repos/octocat/Hello-World/${sha}`,
  url: `https://api.github.com/repos/octocat/Hello-World/${sha}/status`,
});

export const issue = (more: Record<string, unknown> = {}) => ({
  id: 1,
  node_id: "MDU6SXNzdWUx",
  url: "https://api.github.com/repos/octocat/Hello-World/issues/1347",
  html_url: "https://github.com/octocat/Hello-World/issues/1347",
  number: 1347,
  state: "open",
  title: "Found a bug",
  body: "I'm having a problem with this." as string | null,
  user: { login: "octocat", id: 1, type: "User" },
  labels: [],
  locked: false,
  comments: 0,
  closed_at: null,
  created_at: "2011-04-22T13:33:48Z",
  updated_at: "2011-04-22T13:33:48Z",
  author_association: "COLLABORATOR",
  ...more,
});

export const issueComment = (body: string, login = "octocat") => ({
  id: 1,
  node_id: "MDEyOklzc3VlQ29tbWVudDE=",
  url: "https://api.github.com/repos/octocat/Hello-World/issues/comments/1",
  html_url: "https://github.com/octocat/Hello-World/issues/1347#issuecomment-1",
  body,
  user: { login, id: 1, type: "User" },
  created_at: "2011-04-14T16:00:49Z",
  updated_at: "2011-04-14T16:00:49Z",
  issue_url: "https://api.github.com/repos/octocat/Hello-World/issues/1347",
  author_association: "COLLABORATOR",
});

export interface Pull {
  number: number;
  title: string;
  body: string;
  head: { ref: string };
  base: { ref: string };
  html_url: string;
}

export const pullRequest = (more: Pull) => ({
  url: "https://api.github.com/repos/octocat/Hello-World/pulls/1347",
  id: 1,
  node_id: "MDExOlB1bGxSZXF1ZXN0MQ==",
  state: "open",
  locked: false,
  user: { login: "octocat", id: 1, type: "User" },
  created_at: "2011-01-26T19:01:12Z",
  updated_at: "2011-01-26T19:01:12Z",
  draft: false,
  ...more,
});

export const basicError = (message: string, status: number) => ({
  message,
  documentation_url: "https://docs.github.com/rest",
  status: String(status),
});
