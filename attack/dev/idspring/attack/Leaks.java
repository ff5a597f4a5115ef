package dev.idspring.attack;

import java.io.*;
import java.util.*;
import java.util.stream.*;
import dev.idspring.*;
import dev.idspring.autoconfigure.*;
import dev.idspring.testsupport.TestDatabase;
import org.springframework.boot.*;
import org.springframework.boot.builder.*;
import org.springframework.boot.autoconfigure.*;
import org.springframework.boot.jdbc.autoconfigure.*;
import org.springframework.context.*;
import org.springframework.context.annotation.Configuration;

public class Leaks {

	static String key(long seed) {
		byte[] b = new byte[32];
		new Random(seed).nextBytes(b);
		return Base64.getEncoder().encodeToString(b);
	}

	static final String K = key(1), K2 = key(2);

	static ConfigurableApplicationContext start(TestDatabase db, String... p) {
		return new SpringApplicationBuilder(App.class).web(WebApplicationType.NONE)
			.build()
			.run(Stream
				.concat(Stream.of("spring.datasource.url=" + db.url(), "spring.datasource.username=" + db.username(),
						"spring.datasource.password=" + db.password(), "spring.main.banner-mode=off",
						"ids.jdbc.initialize-schema=always"), Stream.of(p))
				.map((x) -> "--" + x)
				.toArray(String[]::new));
	}

	static String trying(String label, String... p) {
		return trying(label, TestDatabase.h2(), p);
	}

	static String trying(String label, TestDatabase db, String... p) {
		PrintStream out = System.out, err = System.err;
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		PrintStream tee = new PrintStream(bytes, true);
		System.setOut(tee);
		System.setErr(tee);
		String result;
		try (ConfigurableApplicationContext c = start(db, p)) {
			IdGenerator ids = c.getBean(IdGenerator.class);
			String text;
			try {
				text = ids.nextString();
			}
			catch (RuntimeException ex) {
				text = String.valueOf(ex);
			}
			result = "STARTED, draws " + text;
		}
		catch (Throwable ex) {
			Throwable root = ex;
			StringWriter w = new StringWriter();
			ex.printStackTrace(new PrintWriter(w));
			while (root.getCause() != null)
				root = root.getCause();
			result = "refused: " + root.getClass().getSimpleName() + ": " + root.getMessage()
					+ (w.toString().contains(K.substring(4, 20)) ? "  [LEAK in exception]" : "");
		}
		finally {
			System.setOut(out);
			System.setErr(err);
		}
		String printed = bytes.toString();
		String leak = printed.lines()
			.filter((l) -> l.contains(K.substring(4, 20)) || l.contains(K2.substring(4, 20)))
			.map((l) -> "\n      LEAK: " + l)
			.limit(6)
			.collect(Collectors.joining());
		System.out.println("* " + label + ": " + result + leak);
		return printed;
	}

	public static void main(String[] args) {
		String s = "ids.strategy=sequential";
		trying("scalar secrets", s, "ids.text.secrets=" + K);
		trying("secrets[0] scalar", s, "ids.text.secrets[0]=" + K);
		trying("two scalars", s, "ids.text.secrets=" + K + "," + K2);
		trying("secret[0]", s, "ids.text.secret[0]=" + K);
		trying("secret.key", s, "ids.text.secret.key=" + K);
		trying("secrets.key", s, "ids.text.secrets.key=" + K);
		trying("secrets[0].kye", s, "ids.text.secrets[0].kye=" + K);
		trying("only secrets[1]", s, "ids.text.secrets[1].key=" + K);
		trying("text scalar", s, "ids.text=" + K);
		trying("from is key", s, "ids.text.secrets[0].key=" + K2, "ids.text.secrets[1].from=" + K,
				"ids.text.secrets[1].key=" + key(3));
		trying("no key", s, "ids.text.secrets[0].from=0");
		trying("from spaces", s, "ids.text.secrets[0].key=" + K, "ids.text.secrets[1].from= ",
				"ids.text.secrets[1].key=" + K2);
		trying("prefix is key", s, "ids.text.prefix=" + K);
		trying("alphabet is key", s, "ids.text.alphabet=" + K);
		trying("unresolved", s, "ids.text.secret=${LINKS_SECRET}");
		trying("both", s, "ids.text.secret=" + K, "ids.text.secrets[0].key=" + K2);
		trying("inherited list, own secret", s, "ids.text.secrets[0].key=" + K, "ids.text.secrets[1].key=" + K2,
				"ids.text.secrets[1].from=1000", "ids.generators.a.text.secret=" + key(4));
		trying("inherited secret, own list", s, "ids.text.secret=" + K,
				"ids.generators.a.text.secrets[0].key=" + key(4));
		trying("17 bytes", s, "ids.text.secret=" + K.substring(4, 28) + "AAA");
		trying("passphrase", s, "ids.text.secret=thisIsMyVerySecretPasswordForIds");
		trying("hex", s, "ids.text.secret=0123456789abcdef0123456789abcdef");
		trying("store none", "ids.strategy=snowflake", "ids.store=none", "ids.node.source=fixed", "ids.node.id=1",
				"ids.text.secrets[0].key=" + K, "ids.text.secrets[1].key=" + K2,
				"ids.text.secrets[1].from=2050-01-01T00:00:00Z");
		trying("debug", s, "ids.text.secret=" + K, "debug=true", "trace=true", "logging.level.root=trace");
		trying("format and alphabet", "ids.strategy=snowflake", "ids.snowflake.format=decimal",
				"ids.text.alphabet=base62");
		trying("format base32 and alphabet BASE32", "ids.strategy=snowflake", "ids.snowflake.format=base32",
				"ids.text.alphabet=BASE32");
		trying("format hex and same alphabet", "ids.strategy=snowflake", "ids.snowflake.format=hex",
				"ids.text.alphabet=0123456789abcdef");
		trying("coprime base62 and its characters", "ids.strategy=coprime", "ids.coprime.alphabet=base62",
				"ids.text.alphabet=0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
		trying("coprime secret inherited by default", "ids.strategy=coprime", "ids.text.secret=" + K);
		trying("from beyond end", s, "ids.sequential.end=100", "ids.text.secrets[0].key=" + K,
				"ids.text.secrets[1].key=" + K2, "ids.text.secrets[1].from=1000");
		trying("from Long.MAX", s, "ids.text.secrets[0].key=" + K, "ids.text.secrets[1].key=" + K2,
				"ids.text.secrets[1].from=9223372036854775807");
		trying("from negative", s, "ids.text.secrets[0].key=" + K, "ids.text.secrets[1].key=" + K2,
				"ids.text.secrets[1].from=-1");
		trying("from arabic digits", s, "ids.text.secrets[0].key=" + K, "ids.text.secrets[1].key=" + K2,
				"ids.text.secrets[1].from=\u0661\u0662");
		trying("five secrets", Stream
			.concat(Stream.of(s), IntStream.range(0, 5)
				.boxed()
				.flatMap((i) -> Stream.of("ids.text.secrets[" + i + "].key=" + key(10 + i),
						"ids.text.secrets[" + i + "].from=" + i * 1000)))
			.toArray(String[]::new));
		trying("list secret, other strategies", "ids.strategy=composite", "ids.text.secrets[0].key=" + K,
				"ids.text.secrets[1].key=" + K2, "ids.text.secrets[1].from=2050-01-01T00:00:00Z");
		System.out.println("--- definitions");
		for (String strategy : List.of("sequential", "gapless", "recycled", "snowflake", "decimal-uid", "composite")) {
			TestDatabase db = TestDatabase.h2();
			String st = "ids.strategy=" + strategy, le = "ids.lease=1s";
			trying(strategy + " created", db, st, le, "ids.text.secret=" + K, "ids.text.prefix=a_");
			trying(strategy + " other prefix", db, st, le, "ids.text.secret=" + K, "ids.text.prefix=b_");
			trying(strategy + " no prefix", db, st, le, "ids.text.secret=" + K);
			trying(strategy + " check", db, st, le, "ids.text.secret=" + K, "ids.text.prefix=a_",
					"ids.text.check=true");
			trying(strategy + " alphabet", db, st, le, "ids.text.secret=" + K, "ids.text.prefix=a_",
					"ids.text.alphabet=base58");
			trying(strategy + " alphabet permuted", db, st, le, "ids.text.secret=" + K, "ids.text.prefix=a_",
					"ids.text.alphabet=0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
			trying(strategy + " length", db, st, le, "ids.text.secret=" + K, "ids.text.prefix=a_",
					"ids.text.length=12");
			trying(strategy + " max-length", db, st, le, "ids.text.secret=" + K, "ids.text.prefix=a_",
					"ids.text.max-length=11");
			trying(strategy + " no secret", db, st, le, "ids.text.prefix=a_",
					"ids.text.length=" + (strategy.matches("snow.*|dec.*|comp.*") ? 11 : 6));
			trying(strategy + " other secret", db, st, le, "ids.text.secret=" + K2, "ids.text.prefix=a_");
			trying(strategy + " again", db, st, le, "ids.text.secrets[0].key=" + K, "ids.text.prefix=a_");
		}
		System.exit(0);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			IdsJdbcAutoConfiguration.class, IdsAutoConfiguration.class })
	static class App {

	}

}
