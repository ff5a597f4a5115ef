package dev.idspring.security;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.idspring.testsupport.TestDatabase;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application with generators of every strategy and every text format of ids.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class FuzzedApplication {

	/**
	 * The generators that parse letters in both cases, and accept the letters O, I and L
	 * for the digits 0 and 1.
	 */
	static final List<String> LENIENT = List.of("coprime-base32", "snowflake-base32");

	private static final String SECRET = "5Uq0zvNn3pE8rW1yKcT7gA==";

	private static final Map<String, List<String>> GENERATOR_SETTINGS = Map.ofEntries(
			Map.entry("coprime-base62", List.of("strategy=coprime", "coprime.max-length=9")),
			Map.entry("coprime-base58", List.of("strategy=coprime", "coprime.alphabet=base58", "coprime.length=10")),
			Map.entry("coprime-base36",
					List.of("strategy=coprime", "coprime.alphabet=base36", "coprime.length=1", "coprime.max-length=3")),
			Map.entry("coprime-base32", List.of("strategy=coprime", "coprime.alphabet=base32")),
			Map.entry("coprime-custom",
					List.of("strategy=coprime", "coprime.alphabet=!#&()*+-./:;<=>?@[]^_`{|}~", "coprime.length=4")),
			Map.entry("coprime-park-miller", List.of("strategy=coprime", "coprime.preset=park-miller")),
			Map.entry("sequential", List.of("strategy=sequential")),
			Map.entry("sequential-narrow",
					List.of("strategy=sequential", "sequential.start=1000", "sequential.end=4000000000")),
			Map.entry("sequential-checked",
					List.of("strategy=sequential", "text.length=6", "text.check=true", "text.prefix=Ord_")),
			Map.entry("sequential-secret", List.of("strategy=sequential", "text.length=6", "text.secret=" + SECRET)),
			Map.entry("snowflake-secret",
					List.of("strategy=snowflake", "text.length=11", "text.prefix=Key_", "text.secret=" + SECRET)),
			Map.entry("recycled", List.of("strategy=recycled")), Map.entry("gapless", List.of("strategy=gapless")),
			Map.entry("snowflake-decimal", List.of("strategy=snowflake")),
			Map.entry("snowflake-base62",
					List.of("strategy=snowflake", "snowflake.format=base62", "snowflake.preset=instagram")),
			Map.entry("snowflake-base32",
					List.of("strategy=snowflake", "snowflake.format=base32", "snowflake.preset=random-tail")),
			Map.entry("snowflake-hex",
					List.of("strategy=snowflake", "snowflake.format=hex", "snowflake.preset=javascript")),
			Map.entry("decimal-uid", List.of("strategy=decimal-uid")),
			Map.entry("decimal-uid-unsigned", List.of("strategy=decimal-uid", "decimal-uid.signed=false")),
			Map.entry("composite", List.of("strategy=composite")),
			Map.entry("composite-prefix", List.of("strategy=composite", "composite.prefix=7")));

	static ConfigurableApplicationContext start() {
		TestDatabase database = TestDatabase.h2();
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--server.address=127.0.0.1",
				"--management.endpoints.web.exposure.include=ids", "--spring.main.banner-mode=off",
				"--spring.flyway.enabled=false", "--spring.liquibase.enabled=false",
				"--spring.datasource.url=" + database.url()));
		GENERATOR_SETTINGS.forEach((name, settings) -> settings
			.forEach((setting) -> arguments.add("--ids.generators." + name + "." + setting)));
		return new SpringApplicationBuilder(FuzzedApplication.class).run(arguments.toArray(String[]::new));
	}

}
