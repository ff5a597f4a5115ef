package dev.idspring.recipes.batch;

import java.util.List;

import org.springframework.stereotype.Service;

@Service
class Importer {

	private final Measurements measurements;

	Importer(Measurements measurements) {
		this.measurements = measurements;
	}

	void load(List<Double> celsius) {
		this.measurements.saveAll(celsius.stream().map(Measurement::new).toList());
	}

}
