import { findSecrets } from './find-secrets';

/**
 * What is a secret and what is none. `§` is taken out, so that no scanner of source code takes the samples for keys;
 * what stands between `«` and `»` must be found, all of it and nothing else.
 */
const SECRETS = String.raw`
postgresql://nightjob:«Vintergatan-77x»@db.internal.example:5432/jobs
redis://:«p4ssw0rd»@cache:6379/0
amqp://guest:«guest»@rabbit:5672
mongodb+srv://app:«zK9!xQ2%21»@cluster0.example.net/?retryWrites=true
https://deploy:«gl§pat-Ab12Cd34Ef56Gh78Ij90»@gitlab.example.com/a/b.git
mysql://root:«a:b@c»@localhost/shop
git clone https://«gh§p_16C7e42F292c6912E7710c838347Ae178B4a»@github.com/a/b
smtp://mailer:«Tr0ub4dor&3»@mail.example:587
Authorization: Bearer «abcDEF1234567890abcDEF»
curl -H "Authorization: Bearer «eyJ§hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1g»" https://x.example
Authorization: Basic «dXNlcjpwYXNzd29yZDEyMw==»
{"headers":{"authorization":"Token «9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b»"}}
the JWT was «eyJ§hbGciOiJSUzI1NiJ9.eyJpc3MiOiJhY2NvdW50cyJ9.c2lnbmF0dXJlLWhlcmU»
-----BEGIN PRIVATE KEY-----«MIIEvQIBADANBgkqhkiG9w0BAQEFAASC»-----END PRIVATE KEY-----
-----BEGIN OPENSSH PRIVATE KEY-----«\nb3BlbnNzaC1rZXktdjEAAAAA\n»-----END OPENSSH PRIVATE KEY-----
-----BEGIN RSA PRIVATE KEY-----«MIIEowIBAAKCAQEAx7Kq»
aws_access_key_id = «AK§IAIOSFODNN7EXAMPLE»
AWS_SECRET_ACCESS_KEY=«wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»
"aws_session_token": "«FwoGZXIvYXdzEJr//////////wEaDKz1Example»"
maps key «AI§zaSyA1234567890abcdefghijklmnopqrstuv»
ya29 token «ya§29.a0AfH6SMBx1234567890abcdef»
«gh§p_16C7e42F292c6912E7710c838347Ae178B4a»
«gh§o_16C7e42F292c6912E7710c838347Ae178B4a»
«git§hub_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz0123456789»
«xo§xb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx»
https://hooks.slack.com/services/«T0§0000000/B00000000/XXXXabcd1234efgh5678ijkl»
https://discord.com/api/webhooks/123456789012345678/«abc§DEF123456789012345678901234567890xyz»
«sk§_live_4eC39HqLyjWDarjtT1zdp7dc»
«rk§_test_4eC39HqLyjWDarjtT1zdp7dc»
«whs§ec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw»
«sk§-proj-Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56»
«sk§-ant-api03-Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78»
«sk§-or-v1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef»
«h§f_AbCdEfGhIjKlMnOpQrStUvWxYz12345678»
«h§f_live_Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78St90Uv12Wx34Yz»
«np§m_Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78»
«py§pi-AgEIcHlwaS5vcmcCJDAxMjM0NTY3»
«S§G.ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr»
«do§p_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef»
«shp§at_0123456789abcdef0123456789abcdef»
«da§pi0123456789abcdef0123456789abcdef»
«lin§_api_Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78St90»
«hv§s.CAESIJ1234567890abcdefghijklmn»
«gl§sa_Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56_abcdef12»
«g§sk_Ab12Cd34Ef56Gh78Ij90Kl12Mn34»
«xa§i-Ab12Cd34Ef56Gh78Ij90Kl12Mn34»
«dck§r_pat_Ab12Cd34Ef56Gh78Ij90Kl12»
«pat§Ab12Cd34Ef56Gh.0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef»
My key is «tkn§_live_Q7EXAMPLE4ZTR2WX», please check that
use «api§-prod-9f8e7d6c5b4a3f2e1d» from now on
DB_PASSWORD=«hunter2»
export PGPASSWORD="«correct horse»"
PGPASSWORD=«s3cret!» psql -h db
MYSQL_ROOT_PASSWORD: «Xy7-pq»
{"username":"ada","password":"«open sesame 9»"}
"{\"user\":\"ada\",\"password\":\"«Lovelace-1815»\"}"
{"client_secret":"«Zx81-qwerty-0042»"}
{"refreshToken":"«1//0gabcDEFghi_jkl»"}
'api_key' => '«a1b2c3d4e5f6a7b8»',
api-key: «a1b2c3d4e5f6a7b8»
X-Api-Key: «7c4a8d09-ca37-62af-61e5-9520943dc264»
https://api.example/v1/items?api_key=«a1b2c3d4e5f6a7b8»&page=2
https://api.example/cb?access_token=«ab12cd34ef56gh78»
GET /files?sig=«kP9x2Zq8LmN4vR7t»&se=2026
Server=db;User Id=sa;Password=«Pa55w.rd»;Encrypt=true
Endpoint=sb://ns.example/;SharedAccessKeyName=root;SharedAccessKey=«q1w2e3r4t5y6u7i8o9p0=»
DefaultEndpointsProtocol=https;AccountKey=«Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq==»;
vault login --token «s.7c4a8d09ca3762af61e59520943dc264»
tool --password «S3same» --user ada
tool --password=«S3same» --user ada
docker login -u ada -p «S3same-street» registry.example
curl -u ada:«S3same» https://x.example
mysql -u root -p«S3same» shop
sshpass -p '«S3same»' ssh ada@host
redis-cli -h cache -a «S3same» ping
CREATE USER ada IDENTIFIED BY '«S3same street»';
machine git.example login ada password «S3same»
<password>«S3same»</password>
the admin password is «S3same!» for now
my password: «S3same!»
The PIN for the door is «4711» and the lamp is on.
The passphrase for the archive: '«blue heron at noon»'. Keep it.
Use api key «zk_9aa71f0c2244e8b1» for the map service
log in with password «S3same!» now
the access token of the bot = «ab12cd34ef56gh78»
password = "«S3same»"
const apiKey = "«a1b2c3d4e5f6a7b8»";
jwt_secret: «N0tSoSecret-Value»
SECRET_KEY=«django-insecure-4x9k2»
webhook_secret = '«9d8c7b6a5f4e3d2c»'
{"cvv":"«123»","pin":"«4711»"}
otp: «482913»
Cookie: «sessionid=abc123def456; theme=dark»
"ENCRYPTION_KEY": "«0123456789abcdef0123456789abcdef»"
private_key_password: «k3y-pass»
"passphrase": "«tall ships sail west»"
`;

const OTHERS = String.raw`
commit 4bdbf8f190d0db0123456789abcdef0123456789
63d9067..b640561  streaming -> streaming
550e8400-e29b-41d4-a716-446655440000
order W2378156 of user mohamed_silva_9265
{"reservation_id":"K1NW8N","payment_id":"gift_card_6136092"}
credit_card_5843230 certificate_3765853
call_9aXk2PqRsTuVwXyZ12345678
toolu_01A09q90qw90lq917835lq9
msg_01XFDUDYJgAACzvnptvVoYEL
chatcmpl-9x8y7z6w5v4u3t2s1r0q
resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b
cs_test_a1b2c3d4e5f6g7h8i9j0k1l2m3
pi_3MtwBwLkdIwHu7ix28a3tqPa cus_NffrFeUfNV2Hib ch_3MmlLrLkdIwHu7ix0snN0B15
pk_live_51H8xYz2eZvKYlo2C
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
integrity sha512-9VGjrSsG1vePmCSVbPsMArs7+P0aAfPVoYE1Q8VLGaF7PhQZkPu2NTS6Jn
"etag": "33a64df551425fcc55e4d42a148795d9f25f89d4"
max_tokens: 4096
"total_tokens": 118181, "prompt_tokens": 9000
tokens: 1234, token_count=99
next_page_token: CAUQAA12345678
"nextPageToken": "EAAaBlBUOkNBVQ1234"
pageToken=abc123def456
continuation_token: 8f14e45fceea167a5a36dedd4bea2543
syncToken: CPDAlvWDx70CEPDAlvWDx70CGAU=
idempotency_key: 8f14e45fceea167a5a36dedd4bea2543
primary_key: order_id
"public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"
-----BEGIN CERTIFICATE-----MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0B-----END CERTIFICATE-----
-----BEGIN PUBLIC KEY-----MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE-----END PUBLIC KEY-----
DB_PASSWORD=$DB_PASS
password: $§{DB_PASSWORD}
password: {{ vault_password }}
password=<your password>
api_key: "YOUR_API_KEY"
"password": "********"
"password": "[REDACTED]"
password: null
password: string
password: required
token: string;
const password = req.body.password;
const token = await getToken(user);
token = self.tokenizer.next_token()
password = os.environ["DB_PASSWORD"]
apiKey: process.env.API_KEY
api_key=os.getenv("API_KEY")
def login(user, password):
password must be at least 8 characters
"password": ["This password is too short."]
Invalid password for user ada
The password has been changed.
enter the password and press return
forgot password? click here
/reset-password/step-2
src/auth/password-reset.ts
libs/core/src/secrets/secret-names.ts
git@github.com:devuser/dev.example.com.git
https://github.com/devuser/dev.example.com/pull/17
https://example.com:8080/path@v2
http://localhost:3000
postgres://localhost:5432/jobs
postgres://user@db.example:5432/jobs
postgres://user:$§{PASS}@db.example/jobs
https://packages.example/@scope/pkg/-/pkg-1.2.3.tgz
ada@example.com
bearer authentication is required
Basic usage
the password for the account is required
Forgot password step-2
the token for page 12 is missing
press the key W2378156 on the map
api key ids are listed under /v1/keys
a secret santa 2026-12-24
the code for the order is W2378156
token W2378156
basic authentication
the token expired
sk-learn-estimator-doc-link
sk-toggleable__label-arrow
skip-to-content-link-1
task-1234567890abcdef
AKIA is the prefix of a key
secretary: Ada Lovelace
secret_name: prod/db/credentials
kubectl get secret my-app-secrets
"secretKeyRef": {"name": "app", "key": "pw"}
compass=north
passenger: 2
passengers=3
bypass: true
passed: 12
pass: 12 fail: 0
PASS src/app.test.ts
pinned: true
pin: 13
spin: 4711
W/app/routes/api.stream.ts 6-30
2026-03-01T05:22:58Z night-4 INFO handled batch 747 rows=158
h_wcxq832dss
[secret password #3f9a]
DATABASE_URL=postgresql://nightjob:[secret password #3f9a]@db.internal.example:5432/jobs
token_type: bearer
"token_type":"Bearer","expires_in":3600
grant_type=refresh_token
author: Ada
signature: (a: string) => void
key-value store
monkey: chimp
arn:aws:iam::123456789012:role/deployer
projects/my-project/secrets/db-password/versions/3
/home/ada/.ssh/id_rsa
uses: actions/checkout@8e5e7e5ab8b370d6c329ec480221332ada57f0ab
`;

const lines = (table: string): string[] =>
  table
    .split('\n')
    .map((line) => line.replaceAll('§', ''))
    .filter((line) => line !== '');

const marked = (text: string): string => {
  let shown = '';
  let reached = 0;
  for (const { start, end } of findSecrets(text)) {
    shown += `${text.slice(reached, start)}«${text.slice(start, end)}»`;
    reached = end;
  }
  return shown + text.slice(reached);
};

it.each(lines(SECRETS))('found: %s', (line) => {
  expect(marked(line.replaceAll(/[«»]/gu, ''))).toBe(line);
});

it.each(lines(OTHERS))('left alone: %s', (line) => {
  expect(marked(line)).toBe(line);
});
