import { group, listed, type ReadingForm, told } from "../rows/reading-form.ts";

const listing = "-a --all -q --quiet -f: --filter: --format: --no-trunc -n: --last: -l --latest -s --size --digests";
const composeReading = [
  listed(
    "ps top images ls port version",
    "-a --all -q --quiet --services --filter: --status: --format: --orphans? --protocol: --index:",
    "t*",
  ),
  told("logs", "-f --follow -t --timestamps --tail: -n: --since: --until: --no-color --no-log-prefix --index:"),
];
const containerReading = [
  listed("ps ls list images", `${listing} --tree --orchestrator:`),
  told("logs", "-f --follow -t --timestamps --tail: -n: --since: --until: --details"),
  told(
    "inspect top port history diff stats events version info",
    "-f: --format: -s --size --type: --no-stream --no-trunc -a --all --since: --until: --filter: -H --human? -q --quiet",
  ),
];

const objects = "-n: --namespace: -A --all-namespaces -l: --selector: --field-selector: --context: --cluster:";
const cluster = `${objects} -o: --output: -w --watch --watch-only --sort-by: --show-labels --no-headers --show-kind -L: --label-columns: -R --recursive --ignore-not-found --chunk-size: --server-print? --template: --tail: --since: --since-time: -c: --container: -p --previous --all-containers? -f --follow --timestamps? --prefix? --max-log-requests: --containers --use-protocol-buffers? --show-events? --client --short --cached --namespaced? --verbs: --api-group: --api-version: --timeout: --revision: --request-timeout:`;

/** Containers and clusters, looked at. Secrets are none of it. */
export const containerForms: readonly ReadingForm[] = [
  {
    row: {
      names: "docker podman nerdctl",
      options: "--context: -D --debug -l: --log-level:",
      match: ["docker ps -a", "docker logs -f --tail 100 web", "docker inspect -f '{{.State.Running}}' web"],
      notMatch: [
        "docker run x",
        "docker rm web",
        "docker -H tcp://x ps",
        "docker system prune",
        "docker compose config",
      ],
      subcommands: [
        ...containerReading,
        group("container image volume network node service stack system context buildx manifest", [
          listed("ls list ps df", `${listing} -v --verbose`),
          ...containerReading.slice(1),
        ]),
        group("compose", composeReading, "-f:r --file:r -p: --project-name: --profile: --project-directory:r"),
      ],
    },
    except: /secret/i,
  },
  {
    row: {
      names: "docker-compose podman-compose",
      options: "-f:r --file:r -p: --project-name: --profile: --project-directory:r",
      match: ["docker-compose ps", "docker-compose logs -f api"],
      notMatch: ["docker-compose up -d", "docker-compose config"],
      subcommands: composeReading,
    },
  },
  {
    row: {
      names: "kubectl oc",
      options: objects,
      match: [
        "kubectl get pods -A",
        "kubectl describe pod x",
        "kubectl -n a logs web --tail=5",
        "kubectl config current-context",
      ],
      notMatch: [
        "kubectl get secrets",
        "kubectl get pods,secrets",
        "kubectl --token x get pods",
        "kubectl apply -f a",
        "kubectl config view",
        "kubectl get -f a.yaml --raw /x",
      ],
      subcommands: [
        listed("get", cluster),
        told("describe logs top version cluster-info api-resources api-versions explain events", cluster),
        group("rollout", [told("status history", cluster)]),
        group("config", [told("current-context get-contexts get-clusters", "-o: --output: --no-headers", "t*")]),
      ],
    },
    except: /secret|sealedsecret|\/secrets|^--raw/i,
  },
  {
    row: {
      names: "helm",
      options: "-n: --namespace: --kube-context:",
      match: ["helm list -A", "helm history web"],
      notMatch: ["helm get values x", "helm install a b", "helm repo update"],
      subcommands: [
        told("list ls status history version", `${cluster} -a --all -d --date -m: --max: -q`),
        group("repo plugin", [told("list ls", "-o: --output:")]),
      ],
    },
  },
];
