package dev.idspring.benchmarks.inserts;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.idspring.testsupport.TestDatabase;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application with a generator for each key scheme that needs one.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class InsertsApplication {

	private static final String SECRET = "1WAvEexTmHCTeYf9MzMn+fL/aUKREQK7o/O6Di8yh9E=";

	/** The settings of each generator except {@code recycled}, by name. */
	private static final Map<String, List<String>> GENERATORS = Map.ofEntries(
			Map.entry("gapless", List.of("strategy=gapless")), Map.entry("sequential", List.of("strategy=sequential")),
			Map.entry("sequential-secret", List.of("strategy=sequential", "text.secret=" + SECRET)),
			Map.entry("sequential-uuid", List.of("strategy=sequential")),
			Map.entry("snowflake-uuid", List.of("strategy=snowflake")),
			Map.entry("coprime-number", List.of("strategy=coprime")),
			Map.entry("coprime-text", List.of("strategy=coprime")),
			Map.entry("park-miller", List.of("strategy=coprime", "coprime.preset=park-miller")),
			Map.entry("snowflake", List.of("strategy=snowflake")),
			Map.entry("random-tail", List.of("strategy=snowflake", "snowflake.preset=random-tail")),
			Map.entry("decimal-uid", List.of("strategy=decimal-uid")),
			Map.entry("composite", List.of("strategy=composite")));

	static ConfigurableApplicationContext start(TestDatabase database, int writers) {
		List<String> arguments = new ArrayList<>(List.of("--spring.datasource.url=" + database.url(),
				"--spring.datasource.hikari.maximum-pool-size=" + (writers + 2), "--ids.jdbc.initialize-schema=always",
				"--spring.main.banner-mode=off", "--logging.level.root=warn",
				// the driver would log each of the measured deadlocks
				"--logging.level.org.mariadb=off"));
		if (database.username() != null) {
			arguments.add("--spring.datasource.username=" + database.username());
			arguments.add("--spring.datasource.password=" + database.password());
		}
		GENERATORS.forEach((name, settings) -> settings
			.forEach((setting) -> arguments.add("--ids.generators." + name + "." + setting)));
		arguments.add("--ids.generators.recycled.strategy=recycled");
		arguments.add("--ids.generators.recycled.recycled.series-per-instance=" + writers);
		return new SpringApplicationBuilder(InsertsApplication.class).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
	}

}
