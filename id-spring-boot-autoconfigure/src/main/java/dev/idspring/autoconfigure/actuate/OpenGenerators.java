package dev.idspring.autoconfigure.actuate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.idspring.IdGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.monitor.ManagedIdGenerator;

/**
 * The generators that are currently open. Listing them opens no other generator.
 *
 * @param all the generators, whether open or not
 */
record OpenGenerators(IdGenerators all) {

	Stream<IdGenerator> stream() {
		return list().stream();
	}

	private List<IdGenerator> list() {
		List<IdGenerator> open = new ArrayList<>();
		// a mock of IdGenerators returns null
		Iterator<IdGenerator> generators = this.all.iterator();
		while (generators != null && generators.hasNext()) {
			open.add(generators.next());
		}
		return open;
	}

	Optional<IdGenerator> find(String name) {
		return stream().filter((generator) -> name.equals(generator.name())).findAny();
	}

	List<ManagedIdGenerator> managed() {
		List<ManagedIdGenerator> managed = new ArrayList<>();
		for (IdGenerator generator : list()) {
			if (generator instanceof ManagedIdGenerator manageable) {
				managed.add(manageable);
			}
		}
		return managed;
	}

	/**
	 * Return the names of the generators that have not been used yet.
	 */
	Collection<String> unused() {
		Set<String> names = new LinkedHashSet<>(this.all.names());
		for (IdGenerator generator : list()) {
			names.remove(generator.name());
		}
		return names;
	}

}
