package dev.idspring.integration.web;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.idspring.testsupport.TestDatabase;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.web.reactive.server.WebTestClient;

/**
 * Starts an application with ids in its requests, on a real server.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class WebApplication {

	static ConfigurableApplicationContext start(WebApplicationType type, Class<?> controller, String... properties) {
		TestDatabase database = TestDatabase.h2();
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--server.address=127.0.0.1", "--spring.main.banner-mode=off",
						"--spring.jpa.hibernate.ddl-auto=create", "--spring.jpa.open-in-view=false",
						"--spring.datasource.url=" + database.url(), "--ids.generators.orders.coprime.length=10",
						"--ids.generators.invoices.coprime.length=8", "--ids.generators.parcels.coprime.length=7"));
		for (String property : properties) {
			arguments.add("--" + property);
		}
		return new SpringApplicationBuilder(WebApplication.class, controller).web(type)
			.run(arguments.toArray(String[]::new));
	}

	static WebTestClient client(ConfigurableApplicationContext context) {
		return WebTestClient.bindToServer()
			.baseUrl("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"))
			.responseTimeout(Duration.ofMinutes(1))
			.build();
	}

}
