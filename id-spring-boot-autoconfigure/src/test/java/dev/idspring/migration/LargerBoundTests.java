package dev.idspring.migration;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

import dev.idspring.IdGenerator;
import dev.idspring.KeySpaceExhaustedException;
import dev.idspring.monitor.GeneratorSnapshot;
import dev.idspring.monitor.GeneratorSnapshot.GeneratorStatus;
import dev.idspring.monitor.ManagedIdGenerator;
import dev.idspring.testsupport.FewInvocations;
import dev.idspring.testsupport.Instances;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that the upper bound of a key space can be raised while instances with the old
 * and the new bound run at the same time.
 */
abstract class LargerBoundTests {

	private final Kind kind;

	private Instances instances;

	LargerBoundTests(Kind kind) {
		this.kind = kind;
	}

	@BeforeEach
	void open() {
		this.instances = new Instances(this.kind.create());
	}

	@AfterEach
	void close() {
		this.instances.close();
	}

	@ParameterizedTest
	@FewInvocations(1)
	@CsvSource({ "coprime, coprime.max-length, 3, 4, 1000, 11000",
			"sequential, sequential.end, 1000, 11000, 1000, 11000",
			"recycled, recycled.capacity, 1000, 11000, 1000, 11000" })
	void oldInstancesStopAtTheirBoundWhileNewOnesContinue(String strategy, String property, long small, long large,
			long smallCapacity, long largeCapacity) {
		String[] oldProperties = properties(strategy, property, small);
		String[] newProperties = properties(strategy, property, large);
		IdGenerator firstOld = this.instances.generator(oldProperties);
		IdGenerator secondOld = this.instances.generator(oldProperties);
		List<Long> ids = new ArrayList<>(draw(firstOld, 50));
		ids.addAll(draw(secondOld, 50));
		IdGenerator firstNew = this.instances.generator(newProperties);
		ids.addAll(draw(firstNew, 50));
		// when the old instances are exhausted, all ordinals below the old bound are
		// reserved
		Callable<List<Long>> untilExhausted = () -> drawAll(firstOld);
		Instances.sideBySide(untilExhausted, () -> drawAll(secondOld), () -> draw(firstNew, 3_000))
			.forEach(ids::addAll);
		for (IdGenerator generator : List.of(firstOld, secondOld)) {
			assertThatExceptionOfType(KeySpaceExhaustedException.class).isThrownBy(generator::nextLong)
				.withMessageContaining("of the " + smallCapacity + " keys")
				.withMessageContaining("Raise the upper bound of the key space (ids.");
		}
		// an instance can also be restarted with the old configuration, and then stops at
		// the old bound
		IdGenerator restartedOld = this.instances.generator(oldProperties);
		ids.addAll(drawAll(restartedOld));
		IdGenerator secondNew = this.instances.generator(newProperties);
		Instances.sideBySide(() -> drawAll(firstNew), () -> drawAll(secondNew)).forEach(ids::addAll);
		assertThat(ids).doesNotHaveDuplicates();
		Set<Long> distinctIds = new HashSet<>(ids);
		assertThat(distinctIds).as("every key is issued if no instance crashes").hasSize((int) largeCapacity);
		assertThat(capacity(firstOld)).isEqualTo(smallCapacity);
		assertThat(capacity(restartedOld)).isEqualTo(smallCapacity);
		assertThat(snapshot(restartedOld).status()).isEqualTo(GeneratorStatus.EXHAUSTED);
		assertThat(capacity(firstNew)).isEqualTo(largeCapacity);
		assertThat(this.instances.jdbc().queryForObject("select capacity from ids_key_space", Long.class))
			.isEqualTo(largeCapacity);
	}

	private static String[] properties(String strategy, String property, long bound) {
		return new String[] { "ids.strategy=" + strategy, "ids." + property + "=" + bound, "ids.block.size=10",
				"ids.block.max-size=50", "ids.coprime.alphabet=0123456789", "ids.coprime.length=3",
				"ids.recycled.series-size=100", "ids.block.wait-timeout=60s" };
	}

	private static List<Long> draw(IdGenerator generator, int count) {
		List<Long> ids = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			ids.add(generator.nextLong());
		}
		return ids;
	}

	private static List<Long> drawAll(IdGenerator generator) {
		List<Long> ids = new ArrayList<>();
		try {
			while (true) {
				ids.add(generator.nextLong());
			}
		}
		catch (KeySpaceExhaustedException ex) {
			return ids;
		}
	}

	private static long capacity(IdGenerator generator) {
		return snapshot(generator).keySpace().capacity().longValueExact();
	}

	private static GeneratorSnapshot snapshot(IdGenerator generator) {
		return ((ManagedIdGenerator) generator).snapshot();
	}

}
