package dev.idspring.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import dev.idspring.testsupport.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Draws from all generators of two instances of the sample application that share a
 * database. Runs on every kind of database for which the sample has a profile, and on H2.
 */
@Tag("wide")
class GeneratorsTests {

	private static final int CLIENTS = 3;

	private static final int ROUNDS = 20;

	@ParameterizedTest
	@EnumSource(value = TestDatabase.Kind.class, names = { "H2", "POSTGRESQL", "MARIADB" })
	void noIdRepeats(TestDatabase.Kind kind) throws Exception {
		TestDatabase database = kind.create();
		DrawnIds ids = new DrawnIds();
		try (ConfigurableApplicationContext first = start(database);
				ConfigurableApplicationContext second = start(database)) {
			List<CompletableFuture<Void>> clients = new ArrayList<>();
			for (ConfigurableApplicationContext instance : List.of(first, second)) {
				SampleClient client = client(instance);
				for (int i = 0; i < CLIENTS; i++) {
					clients.add(CompletableFuture.runAsync(() -> drawRounds(client, ids),
							(task) -> new Thread(task).start()));
				}
			}
			clients.forEach(CompletableFuture::join);
			DrawnIds.assertEndpointShowsAllGenerators(client(first));
			DrawnIds.assertEndpointShowsAllGenerators(client(second));
		}
		int drawn = 2 * CLIENTS * ROUNDS;
		for (String name : DrawnIds.STRATEGIES.keySet()) {
			assertThat(ids.idsOf(name)).as(name).hasSize(drawn);
		}
		assertThat(ids.idsOf("invoices")).as("no gap")
			.containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, drawn).mapToObj(Long::toString).toList());
	}

	private static void drawRounds(SampleClient client, DrawnIds ids) {
		try {
			for (int i = 0; i < ROUNDS; i++) {
				ids.draw(client);
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static ConfigurableApplicationContext start(TestDatabase database) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--ids.block.wait-timeout=60s",
				"--spring.profiles.active=" + database.platform(), "--spring.datasource.url=" + database.url()));
		if (database.username() != null) {
			arguments.add("--spring.datasource.username=" + database.username());
			arguments.add("--spring.datasource.password=" + database.password());
		}
		return new SpringApplicationBuilder(SampleApplication.class).run(arguments.toArray(String[]::new));
	}

	private static SampleClient client(ConfigurableApplicationContext context) {
		return new SampleClient(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

}
