// The names that squatters imitate: the most used packages of each registry, written down from general knowledge in
// November 2026. Their order says nothing.
import type { Ecosystem } from "./spelling.ts";

const npm = `
lodash underscore react react-dom react-native react-router react-router-dom react-redux redux redux-thunk redux-saga vue vue-router vuex
angular svelte solid-js preact next nuxt gatsby express koa fastify hapi restify connect body-parser cookie-parser cors helmet morgan
multer passport passport-local passport-jwt express-session express-validator jsonwebtoken bcrypt bcryptjs crypto-js uuid nanoid shortid
axios request request-promise node-fetch cross-fetch isomorphic-fetch got superagent needle undici ws socket.io socket.io-client
websocket mongoose mongodb mysql mysql2 mariadb pg redis ioredis sqlite3 better-sqlite3 mssql knex sequelize typeorm prisma objection
bookshelf elasticsearch graphql apollo-server apollo-client moment moment-timezone dayjs date-fns luxon chalk colors debug commander
yargs minimist inquirer ora chokidar glob rimraf mkdirp fs-extra graceful-fs minimatch semver dotenv cross-env cross-spawn execa shelljs
nodemon pm2 forever concurrently npm-run-all webpack webpack-cli webpack-dev-server webpack-merge babel-core babel-cli babel-loader
babel-eslint babel-polyfill babel-preset-env babel-preset-react babel-preset-es2015 babel-register babel-runtime typescript ts-node
ts-jest ts-loader tslib tslint eslint eslint-config-airbnb eslint-config-prettier eslint-plugin-import eslint-plugin-react
eslint-plugin-prettier prettier stylelint jest jest-cli babel-jest mocha chai sinon jasmine karma ava tape nyc istanbul supertest nock
cypress puppeteer puppeteer-core playwright selenium-webdriver cheerio jsdom jquery bootstrap popper.js d3 three chart.js echarts
highcharts leaflet handlebars mustache ejs pug jade nunjucks marked markdown-it highlight.js prismjs dompurify sanitize-html
showdown gulp gulp-cli grunt grunt-cli bower browserify rollup parcel parcel-bundler esbuild vite vitest turbo lerna husky lint-staged
commitizen standard async bluebird rxjs q co through2 readable-stream concat-stream event-stream eventemitter3 inherits
safe-buffer string_decoder iconv-lite qs querystring url-parse mime mime-types form-data busboy formidable sharp jimp canvas
imagemagick ffmpeg fluent-ffmpeg opencv archiver adm-zip jszip tar unzipper pako xml2js fast-xml-parser js-yaml yaml toml ini json5
ajv joi yup zod validator class-validator class-transformer reflect-metadata inversify immer immutable mobx mobx-react zustand jotai
recoil formik react-hook-form styled-components emotion tailwindcss postcss autoprefixer sass node-sass less sass-loader css-loader
style-loader file-loader url-loader html-webpack-plugin mini-css-extract-plugin clean-webpack-plugin copy-webpack-plugin
terser terser-webpack-plugin uglify-js core-js regenerator-runtime nodemailer twilio stripe aws-sdk firebase firebase-admin
firebase-tools googleapis discord.js telegraf node-telegram-bot-api slack web3 ethers solc truffle ganache hardhat bitcoinjs-lib
bip39 secp256k1 elliptic bn.js ethereumjs-util ethereumjs-tx electron electron-builder electron-packager nw cordova ionic
react-scripts create-react-app react-native-cli expo expo-cli winston pino bunyan log4js loglevel npmlog signale update-notifier
boxen figlet cli-table cli-progress progress prompts enquirer meow cac ansi-styles ansi-regex strip-ansi supports-color color-convert
color-name has-flag escape-string-regexp string-width wrap-ansi is-number is-promise is-plain-object kind-of left-pad merge deepmerge
object-assign clone classnames clsx prop-types query-string path-to-regexp http-proxy http-proxy-middleware http-errors
http-server serve express-fileupload agenda bull bullmq amqplib kafkajs kafka-node mqtt node-cron cron node-schedule
node-gyp node-addon-api nan bindings node-forge openssl ssh2 serialport usb robotjs keytar tough-cookie proxy-agent https-proxy-agent
pusher pusher-js algoliasearch contentful sanity strapi ghost keystone meteor loopback sails nestjs polymer backbone ember-cli
ua-parser-js coa rc faker node-ipc event-source-polyfill whatwg-fetch es6-promise es5-shim postcss-loader eslint-loader
storybook lit lit-element stencil workbox-webpack-plugin swiper slick-carousel moment-duration-format numeral bignumber.js big.js
decimal.js mathjs random-js seedrandom lru-cache node-cache memcached keyv level leveldown nedb lowdb pouchdb
openai langchain anthropic ollama tiktoken jsonschema json-schema swagger-ui-express swagger-jsdoc apollo-server-express
graphql-tag graphql-tools dataloader type-fest ts-essentials tsx tsup zx jiti unified remark rehype mdx react-icons react-select
react-table react-dnd react-bootstrap react-modal react-toastify react-i18next i18next antd material-ui semantic-ui-react
framer-motion react-spring lottie-web video.js hls.js howler pdfkit pdfjs-dist pdf-lib exceljs xlsx csv-parse papaparse
fast-csv csv-parser sanitize-filename slugify pluralize change-case camelcase decamelize lodash.merge lodash.get lodash-es
lodash.debounce ramda fp-ts io-ts monet effect babel eslint-plugin-node rollup-plugin-node-resolve browserslist caniuse-lite
acorn esprima escodegen estraverse esutils espree source-map source-map-support magic-string postman-request newman
sockjs sockjs-client spdy engine.io engine.io-client socketio ngrok localtunnel vm2 isolated-vm ms bytes depd
fsevents node-pre-gyp optimist nopt abbrev once wrappy run-async rx lodash.template lodash.isequal
coffee-script coffeescript livescript typings bluebird-lst smtp-server imap mailparser node-uuid jsonfile loader-utils schema-utils
noblox.js noblox.js-server web-vitals
@angular/core @angular/cli @angular/common @babel/core @babel/preset-env @babel/cli @babel/parser @types/node @types/react
@types/jest @types/lodash @types/express @vue/cli @nestjs/core @nestjs/common @nestjs/cli @mui/material @material-ui/core @emotion/react
@reduxjs/toolkit @tanstack/react-query @storybook/react @testing-library/react @typescript-eslint/parser
@typescript-eslint/eslint-plugin @aws-sdk/client-s3 @azure/storage-blob @azure/identity @google-cloud/storage @prisma/client
@apollo/client @octokit/rest @sentry/node @sentry/browser @slack/web-api @playwright/test @hapi/hapi @sveltejs/kit @solana/web3.js
@openzeppelin/contracts @nomicfoundation/hardhat-toolbox @anthropic-ai/sdk @modelcontextprotocol/sdk @ai-sdk/openai @fortawesome/fontawesome-free
@rollup/plugin-node-resolve @eslint/js @vitejs/plugin-react @tailwindcss/vite @biomejs/biome @swc/core @nrwl/cli @ionic/angular
`;

const pypi = `
requests urllib3 numpy pandas scipy matplotlib seaborn scikit-learn tensorflow tensorflow-gpu keras torch torchvision pytorch pillow
opencv-python opencv-python-headless django flask fastapi uvicorn gunicorn starlette tornado aiohttp httpx sanic bottle pyramid
werkzeug jinja2 markupsafe itsdangerous click sqlalchemy alembic psycopg2 psycopg2-binary pymysql mysqlclient mysql-connector-python
pymongo redis celery kombu boto3 botocore s3transfer awscli google-api-python-client google-cloud-storage google-auth protobuf grpcio
azure-storage-blob azure-identity cryptography pycrypto pycryptodome pyopenssl paramiko bcrypt passlib pyjwt python-jose oauthlib
requests-oauthlib certifi chardet charset-normalizer idna six python-dateutil pytz tzdata setuptools wheel pip virtualenv pipenv poetry
pytest pytest-cov pytest-mock pytest-django coverage tox nose mock hypothesis faker black flake8 pylint mypy isort autopep8 yapf bandit
pre-commit pyyaml toml tomli simplejson ujson orjson jsonschema lxml beautifulsoup4 bs4 html5lib scrapy selenium mechanize splinter
playwright pyautogui pyperclip pynput colorama termcolor colored rich tqdm tabulate prettytable typer fire docopt attrs pydantic
marshmallow typing-extensions packaging filelock platformdirs psutil watchdog python-dotenv environs configparser cython numba
sympy networkx statsmodels xgboost lightgbm catboost nltk spacy gensim transformers tokenizers datasets huggingface-hub
sentence-transformers langchain openai anthropic tiktoken llama-index chromadb faiss-cpu gradio streamlit dash plotly bokeh altair
jupyter jupyterlab notebook ipython ipykernel ipywidgets nbconvert openpyxl xlrd xlsxwriter python-docx pypdf2 pdfminer reportlab
discord discord.py telebot python-telegram-bot pytelegrambotapi tweepy slackclient slack-sdk twilio sendgrid stripe web3 eth-account
bitcoinlib ccxt python-binance solana solders fabric ansible docker docker-compose kubernetes pyinstaller py2exe nuitka
setuptools-scm twine build sphinx mkdocs docutils pygments markdown mistune zope.interface twisted gevent greenlet eventlet trio anyio
websockets websocket-client python-socketio flask-socketio flask-cors flask-sqlalchemy flask-login flask-wtf djangorestframework
django-rest-framework django-cors-headers django-filter django-allauth channels graphene peewee tortoise-orm motor elasticsearch
kafka-python pika paho-mqtt pyserial pyusb pyaudio pydub moviepy imageio scikit-image ffmpeg-python librosa soundfile
python-nmap scapy impacket pwntools netaddr ipaddress dnspython whois python-whois shodan geopy shapely geopandas
fiona rasterio folium pyarrow fastparquet dask polars pyspark apache-airflow prefect luigi mlflow wandb ray optuna
sentry-sdk loguru structlog prometheus-client opentelemetry-api jmespath regex fuzzywuzzy python-levenshtein rapidfuzz unidecode
python-slugify xmltodict untangle cachetools diskcache joblib cloudpickle dill zstandard lz4 brotli zipp importlib-metadata
pyasn1 rsa ecdsa pynacl cffi pycparser pywin32 pyside2 pyqt5 kivy pygame arcade pyglet turtle tkinter customtkinter
instabot pytube youtube-dl yt-dlp instaloader speedtest-cli pyscreeze mouse keyboard pyfiglet emoji num2words phonenumbers
pipreqs virtualenvwrapper pyenv cookiecutter jellyfish dateparser arrow pendulum humanize httplib2 retrying tenacity backoff
smmap gitpython pygithub python-gitlab acme certbot ldap3 pysftp
`;

const crates = `
serde serde_json serde_derive serde_yaml tokio tokio-util futures futures-util async-trait async-std hyper reqwest axum actix-web
warp rocket tower tonic prost clap structopt anyhow thiserror failure error-chain log env_logger tracing tracing-subscriber rand
rand_core regex lazy_static once_cell chrono time uuid url bytes itertools num num-traits num-bigint libc nix winapi windows-sys
bitflags byteorder memchr smallvec arrayvec hashbrown indexmap parking_lot crossbeam crossbeam-channel rayon dashmap
base64 hex sha2 sha1 md5 hmac digest ring rustls openssl native-tls ed25519-dalek secp256k1 rust_decimal diesel sqlx rusqlite
postgres redis mongodb sea-orm syn quote proc-macro2 cc cmake bindgen pkg-config walkdir tempfile glob dirs home toml config csv
flate2 zip tar image png nom pest semver heck strum derive_more wasm-bindgen web-sys js-sys yew leptos dioxus tauri bevy wgpu winit
egui crossterm tui ratatui termcolor colored indicatif dialoguer console rustyline criterion proptest quickcheck mockall insta
ethers web3 solana-sdk solana-program anchor-lang either cfg-if ryu itoa unicode-width percent-encoding mime http httparse
socket2 mio polars ndarray nalgebra
`;

const go = `
github.com/gin-gonic/gin github.com/gorilla/mux github.com/gorilla/websocket github.com/labstack/echo github.com/gofiber/fiber
github.com/go-chi/chi github.com/sirupsen/logrus github.com/spf13/cobra github.com/spf13/viper github.com/spf13/pflag
github.com/stretchr/testify github.com/pkg/errors github.com/google/uuid github.com/google/go-cmp github.com/go-sql-driver/mysql
github.com/lib/pq github.com/jackc/pgx github.com/jmoiron/sqlx github.com/mattn/go-sqlite3 github.com/go-redis/redis
github.com/redis/go-redis github.com/boltdb/bolt github.com/dgraph-io/badger github.com/hashicorp/vault github.com/hashicorp/consul
github.com/hashicorp/terraform github.com/aws/aws-sdk-go github.com/aws/aws-sdk-go-v2 github.com/golang/protobuf
github.com/golang-jwt/jwt github.com/dgrijalva/jwt-go github.com/prometheus/client_golang github.com/fatih/color
github.com/urfave/cli github.com/joho/godotenv github.com/gocolly/colly github.com/shopspring/decimal github.com/valyala/fasthttp
github.com/json-iterator/go github.com/tidwall/gjson github.com/davecgh/go-spew github.com/pelletier/go-toml github.com/burntsushi/toml
github.com/fsnotify/fsnotify github.com/docker/docker github.com/kubernetes/kubernetes github.com/ethereum/go-ethereum
github.com/btcsuite/btcd github.com/bwmarrin/discordgo github.com/go-kit/kit github.com/uber-go/zap github.com/rs/zerolog
github.com/opencontainers/runc github.com/charmbracelet/bubbletea github.com/onsi/ginkgo github.com/onsi/gomega
github.com/hypertrace/goagent github.com/gomodule/redigo github.com/nats-io/nats.go github.com/shirou/gopsutil
golang.org/x/crypto golang.org/x/net golang.org/x/sys golang.org/x/text golang.org/x/sync google.golang.org/grpc
google.golang.org/protobuf gopkg.in/yaml.v3 gorm.io/gorm go.uber.org/zap k8s.io/client-go k8s.io/apimachinery
`;

const maven = `
com.google.guava:guava org.apache.commons:commons-lang3 commons-io:commons-io commons-codec:commons-codec org.slf4j:slf4j-api
ch.qos.logback:logback-classic org.apache.logging.log4j:log4j-core org.apache.logging.log4j:log4j-api log4j:log4j junit:junit
org.junit.jupiter:junit-jupiter org.mockito:mockito-core com.fasterxml.jackson.core:jackson-databind
com.fasterxml.jackson.core:jackson-core com.fasterxml.jackson.core:jackson-annotations com.google.code.gson:gson
org.springframework:spring-core org.springframework:spring-web org.springframework:spring-context
org.springframework.boot:spring-boot-starter-web org.springframework.boot:spring-boot-starter org.hibernate:hibernate-core
org.projectlombok:lombok mysql:mysql-connector-java org.postgresql:postgresql com.h2database:h2 redis.clients:jedis
org.apache.httpcomponents:httpclient com.squareup.okhttp3:okhttp com.squareup.retrofit2:retrofit io.netty:netty-all
org.apache.kafka:kafka-clients org.bouncycastle:bcprov-jdk15on io.jsonwebtoken:jjwt com.alibaba:fastjson com.alibaba:druid
org.mybatis:mybatis org.apache.maven.plugins:maven-compiler-plugin org.jetbrains.kotlin:kotlin-stdlib
io.reactivex.rxjava2:rxjava org.assertj:assertj-core org.apache.poi:poi org.yaml:snakeyaml com.amazonaws:aws-java-sdk
com.google.protobuf:protobuf-java io.grpc:grpc-netty org.apache.spark:spark-core javax.servlet:javax.servlet-api
org.quartz-scheduler:quartz com.zaxxer:hikaricp org.flywaydb:flyway-core org.liquibase:liquibase-core
`;

export const popularNames: Readonly<Record<Ecosystem, string>> = { npm, pypi, crates, go, maven };
